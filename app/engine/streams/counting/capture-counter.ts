import { noSpoilt } from '../../../facts/spoilt';
import { defaultThresholds } from '../../../protocol/thresholds';
import type { OpenSound } from '../clocks/open-sound';
import { QueueLoss } from './queue-loss';
import type { SlotTally } from './slot-tally';
import { TimeHistogram } from './time-histogram';

/** A stretch of the monotonic clock. */
export interface Span {
  fromNs: number;
  toNs: number;
}

/** From the begin of the first to the end of the last; they come in the order of time. */
export function spanOver(spans: readonly Span[]): Span | null {
  const [first] = spans;
  return first ? { fromNs: first.fromNs, toNs: spans[spans.length - 1]?.toNs ?? first.toNs } : null;
}

/** Length of the longest span; 0 if there is none. */
export function longestMsOf(spans: readonly Span[]): number {
  return Math.max(0, ...spans.map(({ fromNs, toNs }) => toNs - fromNs)) / 1e6;
}

/** A time without any picture that was long enough to be a stall, and the highest number seen before it. */
export interface Silence extends Span {
  highest: number;
}

/**
 * What the captures of one range of slots said, counted as they come in. The stages' marks are counted apart from it
 * (`SlotFlags`), so that sums can be compared.
 */
export class CaptureCounter {
  /** Decodable captures whose number lies in the range. */
  captured = 0;
  /** Pictures with a number that was not seen before. */
  firstSeen = 0;
  /**
   * Pictures with a number seen before. For a sender without records, also pictures of numbers that a closed range has already reported.
   */
  duplicated = 0;
  reordered = 0;
  /** How many of `firstSeen` had a first picture that was not whole. */
  readonly spoilt = noSpoilt();
  /** Places where the white line was looked for in new numbers, and those where it stood out from the picture. */
  linePlaces = 0;
  lineWitnesses = 0;
  /** Pictures of another source or sender that came in the time of the range. */
  wrongSource = 0;
  /** Pictures without a readable code after the highest number so far that came after the end of the range. */
  undecodableLater = 0;
  /** Frames lost in the receiver’s queue, of the gaps that are settled. */
  readonly queueSettled = new QueueLoss();
  readonly silences: Silence[] = [];
  longestGapNs = 0;
  lastNewCaptureNs = 0;
  /** The first picture of another source or sender since then; 0: none. */
  otherSinceNs = 0;
  /** Newest picture of any kind in the time of the range, and the highest number seen when it had come. */
  lastPictureNs = 0;
  highest = -1;
  codeHealthMin: number | null = null;
  /** From release to capture, of new numbers. */
  readonly latency = new TimeHistogram();
  /** Captures that seem to come before their release: the clocks disagree. */
  negativeLatencies = 0;
  /** The largest at any capture, ± µs; null: one clock for both ends, or no latency at all. */
  latencyUncertaintyUs: number | null = null;
  /** Between the begins of two calls of the transport, in the order of the calls. */
  readonly submitInterval = new TimeHistogram();
  /** Between captures of new numbers, in the order in which they came. */
  readonly receiveInterval = new TimeHistogram();
  /** Last slot of the range; the range is open while it is Infinity. */
  last = Number.POSITIVE_INFINITY;
  /** True once a range of time knows its first slot. */
  isBegun = false;
  /** How long pictures of other sources were shown in the time of the range. */
  otherNs = 0;

  /** Contradictions between records from before it was opened: they do not concern it. */
  anomaliesBefore = 0;
  /** Sound against picture so far, for an open range. */
  sound: OpenSound | null = null;

  /** Sums of the slots that the live view no longer reads one by one. */
  settled: { tally: SlotTally; next: number; toNs: number; resumed: number; looked: number } | null = null;

  /**
   * `lostWindowSeconds`: length of the sliding window of the verdict. `time`: of a sender whose schedule is not known, the
   * stretch of time that says which slots these are.
   */
  constructor(
    public first: number,
    readonly lostWindowSeconds = defaultThresholds.lostWindowSeconds,
    readonly time: Span | null = null,
  ) {}

  contains(slot: number): boolean {
    return slot >= this.first && slot <= this.last;
  }

  /** `uncertaintyUs`: how far the two clocks may be apart; within it a latency below 0 is one of 0. */
  addLatency(latencyUs: number, uncertaintyUs: number | null): void {
    if (latencyUs < -(uncertaintyUs ?? 0)) {
      this.negativeLatencies += 1;
      return;
    }
    this.latency.add(Math.max(0, latencyUs));
    if (uncertaintyUs !== null)
      this.latencyUncertaintyUs = Math.max(this.latencyUncertaintyUs ?? 0, uncertaintyUs);
  }

  addHealth(health: number): void {
    if (Number.isNaN(health)) return;
    this.codeHealthMin = this.codeHealthMin === null ? health : Math.min(this.codeHealthMin, health);
  }
}
