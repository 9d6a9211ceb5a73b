import { Int32Histogram } from 'hdr-histogram-js';
import { type Distribution, leastValues, type TimeBins } from '../../../facts/distribution';
import { binOf } from '../../../facts/time-bins';

/** Longer times count as this one. */
const highestUs = 60e6;

/** Histogram of whole microseconds up to `highestUs`, with three digits. */
class MicrosecondHistogram extends Int32Histogram {
  constructor() {
    super(1, highestUs, 3);
  }

  /** The library's own, without its logarithm and powers: it is asked at each frame, twice in each range that is open. */
  override countsArrayIndex(us: number): number {
    const bucket = Math.max(31 - Math.clz32(us) - this.subBucketHalfCountMagnitude, 0);
    return (bucket << this.subBucketHalfCountMagnitude) + (us >> bucket);
  }
}

/**
 * Times of one kind, one for each frame: their distribution (1 µs to 60 s, three digits) and their jitter, which is the
 * mean difference between two that follow each other.
 */
export class TimeHistogram {
  /** Made with the first value: it takes 70 KB. */
  private histogram: MicrosecondHistogram | null = null;
  private smallestUs = Number.POSITIVE_INFINITY;
  private previousUs: number | null = null;
  private steps = 0;
  private stepSumUs = 0;

  get count(): number {
    return this.histogram?.totalCount ?? 0;
  }

  get jitterMs(): number | null {
    return this.steps > 0 ? this.stepSumUs / this.steps / 1000 : null;
  }

  /** Values below 0, and NaN, are no times. */
  add(us: number): void {
    if (!(us >= 0)) return;
    this.histogram ??= new MicrosecondHistogram();
    this.histogram.recordValue(Math.min(Math.round(us), highestUs));
    this.smallestUs = Math.min(this.smallestUs, us);
    if (this.previousUs !== null) {
      this.steps += 1;
      this.stepSumUs += Math.abs(us - this.previousUs);
    }
    this.previousUs = us;
  }

  /** Adds the times of another stream to the distribution; the jitter stays, since two streams' times do not follow. */
  merge(other: TimeHistogram): void {
    if (!other.histogram) return;
    this.histogram ??= new MicrosecondHistogram();
    this.histogram.add(other.histogram);
    this.smallestUs = Math.min(this.smallestUs, other.smallestUs);
  }

  /** Rising ones in one walk, which begins at the smallest value: views ask for them four times a second. */
  percentilesMs(percentiles: readonly number[]): (number | null)[] {
    const { histogram } = this;
    if (!histogram || histogram.totalCount === 0) return percentiles.map(() => null);
    let index = this.smallestIndex(histogram);
    let values = histogram.getCountAtIndex(index);
    return percentiles.map((percentile) => {
      // The product may be a rounding error above a whole number.
      const wanted = (percentile / 100) * histogram.totalCount * (1 - Number.EPSILON);
      while (values < wanted && index < histogram.countsArrayLength - 1)
        values += histogram.getCountAtIndex(++index);
      // The histogram rounds up to the end of a bucket; no percentile lies above the largest value.
      return Math.min(bucketEnd(histogram, index), histogram.maxValue) / 1000;
    });
  }

  /** The same times in the coarser bins of a histogram that is drawn. */
  bins(): TimeBins {
    const { histogram } = this;
    if (!histogram || histogram.totalCount === 0) return null;
    const firstBin = binOf(this.smallestUs);
    const counts: number[] = [];
    let left = histogram.totalCount;
    for (let index = this.smallestIndex(histogram); left > 0; index++) {
      const count = histogram.getCountAtIndex(index);
      if (count === 0) continue;
      left -= count;
      const bin = Math.max(0, binOf(bucketEnd(histogram, index)) - firstBin);
      while (counts.length <= bin) counts.push(0);
      counts[bin] = (counts[bin] ?? 0) + count;
    }
    return { firstBin, counts };
  }

  /** Where the counts of the histogram begin. */
  private smallestIndex(histogram: MicrosecondHistogram): number {
    return histogram.countsArrayIndex(Math.min(Math.floor(this.smallestUs), highestUs));
  }

  distribution(): Distribution {
    const { histogram } = this;
    if (!histogram) return { ...noDistribution };
    const [p50 = null, p90 = null, p99 = null, tail = null] = this.percentilesMs([50, 90, 99, 99.9]);
    const p999 = histogram.totalCount < leastValues.p999 ? null : tail;
    return { min: this.smallestUs / 1000, p50, p90, p99, p999, max: histogram.maxValue / 1000 };
  }
}

export const noDistribution: Readonly<Distribution> = {
  ...{ min: null, p50: null, p90: null, p99: null, p999: null, max: null },
};

function bucketEnd(histogram: MicrosecondHistogram, index: number): number {
  return histogram.highestEquivalentValue(histogram.valueFromIndex(index));
}
