import { readRun } from '../engine/sessions/read-run';
import type { Row } from '../protocol/row';
import { streamRowsOf } from '../protocol/row';
import type { Run } from '../protocol/run';

/** A run whose rows are all of streams. */
export function readStreamRun(folder: string): Omit<Run, 'rows'> & { rows: Row[] } {
  const run = readRun(folder);
  return { ...run, rows: streamRowsOf(run.rows) };
}
