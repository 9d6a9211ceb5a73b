import type { ClosedRow } from '../protocol/row';
import { liftRowsOf } from '../protocol/version-1/lift';
import type { RunRow } from '../protocol/version-1/row';

/** Rows as version 1 records them, as readers show them. */
export function lifted(rows: readonly RunRow[], experiment = 'stream-load'): ClosedRow[] {
  return rows.map(liftRowsOf(experiment, { sender: 'rack-04', receiver: 'rack-04' }));
}
