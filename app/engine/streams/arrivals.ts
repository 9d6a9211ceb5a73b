/** Intervals between pictures: each one, or the shortest and the longest of each time. */
export interface Intervals {
  isWhole: boolean;
  /** When the later picture came, or the middle of the time; monotonic clock. */
  atNs: Float64Array;
  shortestMs: Float32Array;
  longestMs: Float32Array;
}

/** More than a minute at the highest rate that a source has. */
const mostRecent = 1 << 14;
/** Times over which the older ones are taken together; as many pixels as a wide chart has. */
const mostBins = 2048;
const firstBinNs = 0.25e9;

/**
 * When the pictures of a stream came: each of the newest ones, and of all since the first the shortest and the longest
 * interval in times of equal length, which double whenever they become too many. Bounded, however long a stream lasts.
 */
export class Arrivals {
  firstNs = 0;
  lastNs = 0;
  /** The newest, in a ring: picture `count` lies at `count % mostRecent`. */
  private readonly times = new Float64Array(mostRecent);
  private count = 0;
  private binNs = firstBinNs;
  private readonly shortest = new Float32Array(mostBins).fill(Number.NaN);
  private readonly longest = new Float32Array(mostBins).fill(Number.NaN);

  /** Adds times of pictures, without those that are not newer than the newest. */
  add(captureNs: Float64Array): void {
    for (const atNs of captureNs) {
      if (atNs <= this.lastNs) continue;
      if (this.firstNs === 0) this.firstNs = atNs;
      else this.addToBin(atNs, (atNs - this.lastNs) / 1e6);
      this.times[this.count % mostRecent] = atNs;
      this.count += 1;
      this.lastNs = atNs;
    }
  }

  /** The intervals that ended within a time: one by one as long as they are kept, otherwise summed. */
  between(fromNs: number, toNs: number): Intervals {
    const oldest = Math.max(0, this.count - mostRecent);
    const isKept = oldest === 0 || this.timeOf(oldest) < fromNs;
    return isKept ? this.each(oldest, fromNs, toNs) : this.together(fromNs, toNs);
  }

  private each(oldest: number, fromNs: number, toNs: number): Intervals {
    const first = Math.max(oldest + 1, this.indexAtOrAfter(fromNs));
    const end = Math.max(first, this.indexAtOrAfter(toNs + 1));
    const atNs = new Float64Array(end - first);
    const intervals = new Float32Array(end - first);
    for (let index = first; index < end; index++) {
      const time = this.timeOf(index);
      atNs[index - first] = time;
      intervals[index - first] = (time - this.timeOf(index - 1)) / 1e6;
    }
    return { isWhole: true, atNs, shortestMs: intervals, longestMs: intervals };
  }

  private together(fromNs: number, toNs: number): Intervals {
    const first = Math.max(0, Math.floor((fromNs - this.firstNs) / this.binNs));
    const end = Math.min(mostBins, Math.floor((toNs - this.firstNs) / this.binNs) + 1);
    const filled: number[] = [];
    for (let bin = first; bin < end; bin++) if (!Number.isNaN(this.longest[bin])) filled.push(bin);
    return {
      isWhole: false,
      atNs: Float64Array.from(filled, (bin) => this.firstNs + (bin + 0.5) * this.binNs),
      shortestMs: Float32Array.from(filled, (bin) => this.shortest[bin] ?? Number.NaN),
      longestMs: Float32Array.from(filled, (bin) => this.longest[bin] ?? Number.NaN),
    };
  }

  private addToBin(atNs: number, intervalMs: number): void {
    let bin = Math.floor((atNs - this.firstNs) / this.binNs);
    while (bin >= mostBins) {
      this.halve();
      bin = Math.floor((atNs - this.firstNs) / this.binNs);
    }
    this.shortest[bin] = lesser(this.shortest[bin], intervalMs);
    this.longest[bin] = greater(this.longest[bin], intervalMs);
  }

  private halve(): void {
    const { shortest, longest } = this;
    for (let bin = 0; bin < mostBins / 2; bin++) {
      shortest[bin] = lesser(shortest[2 * bin], shortest[2 * bin + 1] ?? Number.NaN);
      longest[bin] = greater(longest[2 * bin], longest[2 * bin + 1] ?? Number.NaN);
    }
    shortest.fill(Number.NaN, mostBins / 2);
    longest.fill(Number.NaN, mostBins / 2);
    this.binNs *= 2;
  }

  private timeOf(index: number): number {
    return this.times[index % mostRecent] ?? 0;
  }

  private indexAtOrAfter(atNs: number): number {
    let low = Math.max(0, this.count - mostRecent);
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timeOf(middle) < atNs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Ignores what is not a number. */
function lesser(one = Number.NaN, other: number): number {
  if (Number.isNaN(one)) return other;
  return Number.isNaN(other) ? one : Math.min(one, other);
}

function greater(one = Number.NaN, other: number): number {
  if (Number.isNaN(one)) return other;
  return Number.isNaN(other) ? one : Math.max(one, other);
}
