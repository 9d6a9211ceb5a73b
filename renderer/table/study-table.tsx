import type { Row } from '../../app/facts/row';
import { texts } from '../texts';
import { studyColumnsOf } from './columns';
import { RunTable } from './run-table';

interface Props {
  rows: readonly Row[];
  /** Index of the row that is still open. */
  provisional: number | null;
  /** Opens the details of a row, in the window. */
  onOpen?: (row: number) => void;
}

/** The table of the study: what each added stream cost and what was lost. */
export function StudyTable({ rows, provisional, onOpen }: Props) {
  return (
    <RunTable
      rows={rows}
      columns={studyColumnsOf(rows)}
      lead={texts.table.streams}
      caption={texts.table.caption}
      provisional={provisional}
      onOpen={onOpen}
    />
  );
}
