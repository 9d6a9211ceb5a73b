import { endedAfter, leastByOurClock } from '../../engine/experiment/elsewhere/by-our-clock';
import type { ClosedRow } from '../../facts/row';
import { scalarOf } from '../../facts/row-figures';
import type { StorageParameters } from './declaration';

/** The least time in which such a row can be measured: that of the passes that it says it has. */
export function leastStorageSeconds(row: ClosedRow, { repeats, holdSeconds }: StorageParameters): number {
  if (row.verdict === 'INVALID') return 0;
  // Its reason says so where the run ended in it.
  const short = row.reason.find(({ code }) => code === 'passes-short');
  const done = short ? Math.max(1, Number(short.data.done)) : repeats;
  return leastByOurClock(done * holdSeconds);
}

/** Each operation by each test in each folder, with all of its passes, unless it says itself that it proves nothing. */
export function storageLacks(rows: readonly ClosedRow[], parameters: StorageParameters): string | null {
  const { folders, operations, tests } = parameters;
  const isWhole = ({ verdict, reason }: ClosedRow): boolean =>
    verdict === 'INVALID' || !reason.some(({ code }) => code === 'passes-short');
  const asked = operations.flatMap((operation) => tests.map((test) => ({ operation, test })));
  const there = asked.reduce((sum, { operation, test }) => {
    const of = rows.filter(
      (row) =>
        isWhole(row) &&
        scalarOf(row, 'storage.operation') === operation &&
        scalarOf(row, 'storage.test') === test,
    );
    return sum + Math.min(folders.length, of.length);
  }, 0);
  return endedAfter(there, asked.length * folders.length);
}
