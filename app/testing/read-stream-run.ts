import type { Row } from '../protocol/version-1/row';
import { streamRowsOf } from '../protocol/version-1/row';
import type { Run } from '../protocol/version-1/run';
import { readFlatRun } from './flat-rows';

/** A run whose rows are all of streams. */
export function readStreamRun(folder: string): Omit<Run, 'rows'> & { rows: Row[] } {
  const run = readFlatRun(folder);
  return { ...run, rows: streamRowsOf(run.rows) };
}
