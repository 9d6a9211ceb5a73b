import type { Row } from '../../app/facts/row';
import { figureOf } from '../../app/facts/row-figures';

/** Whether the sender is the limit from this row on: the red row of the first study. */
export function isRedRow(row: Row): boolean {
  return row.verdict === 'FAIL' && figureOf(row, 'senderMissed') === true;
}
