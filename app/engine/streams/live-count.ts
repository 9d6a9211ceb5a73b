import type { Thresholds } from '../../protocol/thresholds';
import { liveLossDelaySeconds } from '../../protocol/thresholds';
import { soundTo } from './clocks/open-sound';
import type { CaptureCounter } from './counting/capture-counter';
import type { RangeCounts } from './counting/range-counts';
import type { StreamLedger } from './counting/stream-ledger';
import type { ForeignCounts, ForeignLedger, ForeignRange } from './foreign/foreign-ledger';
import type { Stream } from './stream';

/** What was counted of a stream since its warm-up; one of the two is null, both before there is anything. */
export interface LiveCounts {
  coded: RangeCounts | null;
  foreign: ForeignCounts | null;
}

export interface LiveAudio {
  offsetMs: number | null;
  blocksMissing: number | null;
}

export const nothing: LiveCounts = { coded: null, foreign: null };
const noAudio: LiveAudio = { offsetMs: null, blocksMissing: null };
/** Figures per second are reported once nearly a second is counted. */
const enoughNs = 0.9e9;

/** Lost frames, as the verdict counts them: of a sender without our code those that are missing. */
export function lostOf({ coded, foreign }: LiveCounts): number {
  if (foreign) return foreign.missing ?? 0;
  return coded?.tally.lostFrames ?? 0;
}

function receivedOf({ coded, foreign }: LiveCounts): number {
  return foreign ? (foreign.received ?? foreign.captured) : (coded?.received ?? 0);
}

interface Look {
  atNs: number;
  last: number;
  lost: number;
  received: number;
  /** For a sender without our code: the newest of these moments for which losses are unknown. */
  unknownToNs: number;
}

/** Counts one stream live: from the end of its warm-up to one second ago, as long as one sender is followed. */
export class LiveCount {
  readonly counter: CaptureCounter | null;
  readonly range: ForeignRange | null;
  /** Totals at earlier looks, oldest first, for what is reported per second. */
  private readonly looks: Look[] = [];

  private constructor(
    private readonly ledger: StreamLedger | null,
    private readonly foreign: ForeignLedger | null,
    nowNs: number,
    lostWindowSeconds: number,
  ) {
    this.counter = ledger?.openRangeAt(nowNs, lostWindowSeconds) ?? null;
    this.range = foreign?.openRange(nowNs, lostWindowSeconds) ?? null;
  }

  /** Null before the warm-up is over. */
  static of(
    stream: Stream,
    nowNs: number,
    warmUpSeconds: number,
    { lostWindowSeconds }: Thresholds,
  ): LiveCount | null {
    const { ledger, foreign } = stream;
    if (!stream.isCounted(nowNs, warmUpSeconds)) return null;
    return ledger || foreign ? new LiveCount(ledger, foreign, nowNs, lostWindowSeconds) : null;
  }

  follows({ ledger, foreign }: Stream): boolean {
    return this.ledger === ledger && this.foreign === foreign;
  }

  counts(nowNs: number): LiveCounts {
    if (this.foreign && this.range) return { coded: null, foreign: this.foreign.preview(this.range, nowNs) };
    if (!this.ledger || !this.counter) return nothing;
    const toNs = nowNs - liveLossDelaySeconds * 1e9;
    const isEmpty = this.counter.time
      ? toNs <= this.counter.time.fromNs
      : this.lastSlot(nowNs) < this.counter.first;
    return isEmpty ? nothing : { coded: this.ledger.previewTo(this.counter, toNs), foreign: null };
  }

  /** Longest time without a new frame up to a moment, for a stream that ended there. */
  longestGapMsTo(endNs: number): number | null {
    const { ledger, counter, foreign, range } = this;
    if (foreign && range) return foreign.preview(range, endNs).longestGapMs;
    if (!ledger || !counter) return null;
    if (endNs <= ledger.times.nsOf(counter.first)) return null;
    return ledger.previewTo(counter, endNs).longestGapMs;
  }

  /** Lost frames and frames per second over the newest second that can be reported; lost: null if it was not measured. */
  perSecond(counts: LiveCounts, nowNs: number): { lost: number | null; fps: number } | null {
    const { looks } = this;
    const [lost, received] = [lostOf(counts), receivedOf(counts)];
    const last = this.lastSlot(nowNs);
    const unknownToNs = counts.foreign?.unknownToNs ?? 0;
    looks.push({ atNs: nowNs, last, lost, received, unknownToNs });
    while (looks[1] && nowNs - looks[1].atNs >= 1e9) looks.shift();
    const before = looks[0];
    if (!before || nowNs - before.atNs < enoughNs) return null;
    const seconds = (nowNs - before.atNs) / 1e9;
    const frames = received - before.received;
    const lostNow = Math.max(0, lost - before.lost);
    const isMeasured = lostNow > 0 || unknownToNs === before.unknownToNs;
    return { lost: isMeasured ? lostNow : null, fps: this.rateOf(frames, seconds, last - before.last) };
  }

  /**
   * New frames over the frame periods that went by: a second that begins and ends between two frames holds one more or
   * less than the source has. Frames that came late for earlier slots are not more than the source has either.
   */
  private rateOf(frames: number, seconds: number, slots: number): number {
    const { ledger, foreign } = this;
    if (foreign?.rateState === 'variable') return frames / seconds;
    const perSecond = ledger ? 1e9 / ledger.times.periodNs : (foreign?.framesPerSecond ?? 0);
    const periods = ledger ? slots : Math.floor(seconds * perSecond);
    return (perSecond * frames) / Math.max(periods, frames, 1);
  }

  /** The offset of the newest seconds, and all blocks that are missing. */
  audio({ audio }: Stream, nowNs: number): LiveAudio {
    const { ledger, counter } = this;
    if (!audio || !ledger || !counter) return noAudio;
    const sound = soundTo(this.lastSlot(nowNs), { audio, ledger, counter });
    return sound ? { offsetMs: sound.newestOffsetMs, blocksMissing: sound.blocksMissing } : noAudio;
  }

  private lastSlot(nowNs: number): number {
    const { ledger } = this;
    return ledger ? ledger.times.slotFrom(nowNs - liveLossDelaySeconds * 1e9) - 1 : -1;
  }
}
