import { type Missing, mostRowNumbers } from '../../facts/missing';
import type { LinesRead } from './json-lines';
import type { Recorded } from './run-facts';
import { runFiles } from './run-files';

/** The numbers of the rows that were read. Every run numbers its rows from 0, one after the other. */
export class RowNumbers {
  private readonly seen = new Set<number>();
  private lowest = Number.POSITIVE_INFINITY;
  private highest = -1;

  /** False: a row before had the number, so that it is not known which of them was recorded. */
  add(number: number): boolean {
    if (this.seen.has(number)) return false;
    this.seen.add(number);
    this.lowest = Math.min(this.lowest, number);
    this.highest = Math.max(this.highest, number);
    return true;
  }

  /** Those that were read, each number once. */
  get rows(): number {
    return this.seen.size;
  }

  /**
   * How many records there must be at least.
   * @param recorded the number that the run itself gives; undefined: it gives none
   */
  expected(recorded: number | undefined): number {
    if (recorded === undefined) return this.highest + 1;
    return Math.max(recorded, this.rows === 0 ? 0 : this.highest - this.lowest + 1);
  }

  /** The first numbers that no row has; those after the highest one follow on. */
  absent(most: number): number[] {
    const numbers: number[] = [];
    for (let number = 0; numbers.length < most; number++) if (!this.seen.has(number)) numbers.push(number);
    return numbers;
  }
}

interface RecordsRead {
  read: Record<'rows' | 'events' | 'samples', LinesRead>;
  numbers: RowNumbers;
  /** Up to the run's end, and samples; those that could be read. */
  events: number;
  samples: number;
  /** What the run says that it recorded until its end; a run without an end, or of an older version, does not. */
  recorded: Recorded | undefined;
  /** A last line without its end is on its way. */
  isGrowing: boolean;
}

/** What is missing of a run; undefined if everything is there. */
export function missingOf(found: RecordsRead): Missing | undefined {
  const { read, numbers, recorded, isGrowing } = found;
  const unreadable = ({ unreadable: lines, isCutShort }: LinesRead): number =>
    lines - Number(isGrowing && isCutShort);
  const lost = (lines: LinesRead, there: number, all: number | undefined): number =>
    Math.max(unreadable(lines), (all ?? 0) - there);
  const ofRows = lost(read.rows, numbers.rows, numbers.expected(recorded?.rows));
  const missing: Missing = {
    rows: ofRows,
    rowNumbers: numbers.absent(Math.min(ofRows, mostRowNumbers)),
    events: lost(read.events, found.events, recorded?.events),
    samples: lost(read.samples, found.samples, recorded?.samples),
    files: (['rows', 'samples', 'events'] as const)
      .filter((name) => read[name].problem !== null)
      .map((name) => runFiles[name]),
  };
  const { rows, events, samples, files } = missing;
  return rows + events + samples + files.length > 0 ? missing : undefined;
}
