import { type Drawn, withGaps } from './gaps';

/**
 * The newest samples of several series over one time axis, in typed arrays of twice the capacity, so that any range of
 * them is one piece of memory and appending costs nothing worth counting. Lives outside React. NaN: not measured.
 */
export class SampleRing {
  private readonly times: Float64Array;
  private readonly columns: Float32Array[];
  private readonly measured: boolean[];
  private start = 0;
  private end = 0;

  constructor(
    seriesCount: number,
    private readonly capacity: number,
    /** Between samples that lie further apart nothing was measured. */
    private readonly longestStepSeconds = Number.POSITIVE_INFINITY,
  ) {
    this.times = new Float64Array(capacity * 2);
    this.columns = Array.from({ length: seriesCount }, () => new Float32Array(capacity * 2));
    this.measured = Array.from({ length: seriesCount }, () => false);
  }

  get length(): number {
    return this.end - this.start;
  }

  get firstTime(): number | null {
    return this.length > 0 ? (this.times[this.start] as number) : null;
  }

  get lastTime(): number | null {
    return this.length > 0 ? (this.times[this.end - 1] as number) : null;
  }

  /** Appends a sample; one that is not newer than the last is left out, so a repeated message does no harm. */
  push(time: number, values: readonly (number | null)[]): void {
    if (this.lastTime !== null && time <= this.lastTime) return;
    if (this.end === this.times.length) this.moveToFront();
    this.times[this.end] = time;
    this.columns.forEach((column, index) => {
      const value = values[index] ?? Number.NaN;
      column[this.end] = value;
      if (!Number.isNaN(value)) this.measured[index] = true;
    });
    this.end += 1;
    if (this.length > this.capacity) this.start += 1;
  }

  clear(): void {
    this.start = 0;
    this.end = 0;
    this.measured.fill(false);
  }

  /** Whether a series has had a value since the ring was last empty. */
  hasMeasured(series: number): boolean {
    return this.measured[series] ?? false;
  }

  /** The newest value of a series; null if it was not measured. */
  last(series: number): number | null {
    return this.length > 0 ? orNull(this.columns[series]?.[this.end - 1]) : null;
  }

  /**
   * What a chart draws between two times: the times, then each series with null for what was not measured. One sample
   * beyond either edge comes along, so that lines run to the edge. Samples that lie too far apart have nulls between them.
   */
  window(from: number, to: number): Drawn {
    const first = Math.max(this.start, this.indexAtOrAfter(from) - 1);
    const last = Math.min(this.end, this.indexAtOrAfter(to) + 1);
    const times = Array.from(this.times.subarray(first, last));
    const columns = this.columns.map((column) => Array.from(column.subarray(first, last), orNull));
    return withGaps([times, ...columns], this.longestStepSeconds);
  }

  private indexAtOrAfter(time: number): number {
    let low = this.start;
    let high = this.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.times[middle] as number) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private moveToFront(): void {
    this.times.copyWithin(0, this.start, this.end);
    for (const column of this.columns) column.copyWithin(0, this.start, this.end);
    this.end -= this.start;
    this.start = 0;
  }
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
