import { leastByOurClock } from '../../engine/experiment/elsewhere/by-our-clock';
import type { ClosedRow } from '../../facts/row';
import type { StorageParameters } from './declaration';

/** What measuring such a row takes at least: its passes, as many as it says that it has. */
export function leastStorageSeconds(row: ClosedRow, { repeats, holdSeconds }: StorageParameters): number {
  if (row.verdict === 'INVALID') return 0;
  // Its reason says so where the run ended in it.
  const short = row.reason.find(({ code }) => code === 'passes-short');
  const done = short ? Math.max(1, Number(short.data.done)) : repeats;
  return leastByOurClock(done * holdSeconds);
}
