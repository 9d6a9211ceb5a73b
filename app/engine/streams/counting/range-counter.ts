import { build, type Histogram } from 'hdr-histogram-js';
import type { RangeTally } from './range-tally';

/** Range of the latency histogram: 1 µs to 60 s, three digits. */
const highestLatencyUs = 60e6;

/** A time without any picture that was long enough to be a stall, and the highest number seen before it. */
export interface Silence {
  fromNs: number;
  toNs: number;
  highest: number;
}

/**
 * What the captures of one range of slots said, counted as they come in. The stages' marks are counted apart from it
 * (`SlotFlags`), so that sums can be compared.
 */
export class RangeCounter {
  /** Decodable captures whose number lies in the range. */
  captured = 0;
  /** Of them, numbers not seen before. */
  firstSeen = 0;
  duplicated = 0;
  reordered = 0;
  torn = 0;
  damaged = 0;
  readonly silences: Silence[] = [];
  longestGapNs = 0;
  lastNewCaptureNs = 0;
  /** Newest picture of any kind while the range was open. */
  lastPictureNs = 0;
  codeHealthMin: number | null = null;
  /** Captures that seem to come before their release: a broken clock, no latency then. */
  negativeLatencies = 0;
  readonly latencyUs: Histogram = build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: highestLatencyUs,
    numberOfSignificantValueDigits: 3,
  });
  /** Last slot of the range; the range is open while it is Infinity. */
  last = Number.POSITIVE_INFINITY;

  /** Sums of the slots that the live view no longer looks at one by one. */
  settled: { tally: RangeTally; next: number } | null = null;

  constructor(readonly first: number) {}

  contains(slot: number): boolean {
    return slot >= this.first && slot <= this.last;
  }

  addLatency(latencyUs: number): void {
    if (latencyUs < 0) this.negativeLatencies += 1;
    else this.latencyUs.recordValue(Math.min(Math.round(latencyUs), highestLatencyUs));
  }

  addHealth(health: number): void {
    if (Number.isNaN(health)) return;
    this.codeHealthMin = this.codeHealthMin === null ? health : Math.min(this.codeHealthMin, health);
  }
}
