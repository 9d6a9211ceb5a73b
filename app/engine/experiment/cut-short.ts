import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';

/** Less than this is not of the operator's making: a row ends when its process gets the processor. */
const toleranceSeconds = 0.05;

export function isCutShort({ reason }: Pick<ClosedRow, 'reason'>): boolean {
  return reason.some(({ code }) => code === 'cut-short');
}

/** A row that was stopped is of a part of its time. Its verdict is of that part, and its reason says how long it was. */
export function cutShort<Row extends Pick<ClosedRow, 'reason'>>(
  row: Row,
  measuredSeconds: number,
  holdSeconds: number,
): Row {
  if (measuredSeconds >= holdSeconds - toleranceSeconds) return row;
  return { ...row, reason: [...row.reason, reasonOf('cut-short', { measuredSeconds, holdSeconds })] };
}
