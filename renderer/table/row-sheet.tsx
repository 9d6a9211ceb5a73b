import type { Row } from '../../app/protocol/row';
import { Dialog } from '../shell/dialog';
import { texts } from '../texts';
import { RowDetail } from './row-detail';

/** What stands behind a row of streams, over the window. */
export function RowSheet({ row, onClose }: { row: Row; onClose: () => void }) {
  return (
    <Dialog title={texts.report.rowOf(row.row, row.streams)} isWide onClose={onClose}>
      <RowDetail row={row} />
    </Dialog>
  );
}
