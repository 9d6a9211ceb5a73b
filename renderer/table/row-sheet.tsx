import type { Row } from '../../app/facts/row';
import { stepTitle } from '../charts/step-series';
import { Dialog } from '../shell/dialog';
import { RowDetail } from './row-detail';

/** The details of a row of streams, over the window. */
export function RowSheet({ row, onClose }: { row: Row; onClose: () => void }) {
  return (
    <Dialog title={stepTitle(row)} isWide onClose={onClose}>
      <RowDetail row={row} />
    </Dialog>
  );
}
