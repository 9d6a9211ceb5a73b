import { readRecordedRun } from '../engine/sessions/read-run';
import type { Row } from '../protocol/version-1/row';
import { streamRowsOf } from '../protocol/version-1/row';
import type { Run } from '../protocol/version-1/run';

/** A run whose rows are all of streams. */
export function readStreamRun(folder: string): Omit<Run, 'rows'> & { rows: Row[] } {
  const run = readRecordedRun(folder);
  return { ...run, rows: streamRowsOf(run.rows) };
}
