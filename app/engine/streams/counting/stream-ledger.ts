import { framesPerSecond } from '../../../protocol/format';
import {
  type CaptureRecords,
  CodeStatus,
  type MissRecords,
  type SubmitRecords,
} from '../../../protocol/records';
import { defaultThresholds, stallSeconds } from '../../../protocol/thresholds';
import { RangeCounter, type Silence } from './range-counter';
import { RangeTally } from './range-tally';
import { farthestJump, slotNs, slotPeriodNs, unwrapFrameNumber } from './schedule';
import { Mark, SlotFlags } from './slot-flags';
import type { SourceLedger } from './source-ledger';

/** The numbers between two captures that are next to each other, or after the last one. */
interface Gap {
  after: number;
  before: number;
  /** Rise of the SDK's own drop counter over the gap. */
  sdkRise: number;
  /** Pictures without a readable code that came in the gap and are not matched to a number yet. */
  undecodable: number;
  /** Slot behind which those of them count that find no number. */
  behind: number;
}

export interface LedgerIdentity {
  /** Source id in the frame code; anything else is a wrong source. */
  sourceId: number;
  /** Sender id in the frame's metadata; 0 is not checked. */
  senderId: number;
  /** First slot that was offered to the sender. */
  firstSlot: number;
  /** The sender's records are not known: every number up to the newest one is taken as submitted. */
  assumeSubmitted: boolean;
  /** Wall minus monotonic clock of the releasing machine, if it is this one; null: no latency. */
  wallOffsetUs: number | null;
}

/** Counts of one range of slots of one stream; see the registry of metrics for each. */
export interface RangeCounts {
  first: number;
  last: number;
  tally: RangeTally;
  captured: number;
  received: number;
  droppedReceiverQueue: number;
  duplicated: number;
  reordered: number;
  torn: number;
  damaged: number;
  undecodableUnmatched: number;
  stalls: number;
  longestGapMs: number;
  /** Slots of a closed range of which the source left no record; they are told neither sent nor lost. */
  unrecorded: number;
  conserved: boolean;
}

/** Frames later than this change a closed row's counts, but not the live view's. */
const settledSeconds = 10;

const releaseWrap = 2 ** 48;

/**
 * Follows every frame of one stream from the records of its stages. Pure: it knows no clock, records carry their times.
 * Source: docs/measurement.md. Numbers are slots of the schedule, unwrapped.
 */
export class StreamLedger {
  private readonly flags: SlotFlags;
  private readonly missCause = new Map<number, number>();
  private readonly gaps: Gap[] = [];
  /** Undecodable pictures that found no number, by the slot behind which they came. */
  private readonly unmatched = new Map<number, number>();
  private readonly counters = new Set<RangeCounter>();
  private newestSubmitted: number;
  private newestMissed: number;
  /** Highest number seen; one less than the first slot before it. */
  private highest: number;
  /** Last slot of the newest closed range: what it lost is told and takes no more pictures. */
  private closedTo: number;
  private sdkDroppedAtHighest = 0;
  private sdkDropped = 0;
  private pendingUndecodable = 0;
  /** Newest capture of a new number, and of any picture. */
  private lastCaptureNs = 0;
  private lastPictureNs = 0;
  firstCaptureNs = 0;
  anomalies = 0;
  overflowed = { submits: 0, misses: 0, captures: 0 };
  wrongSource = 0;
  lastPictureClass = 0;

  constructor(
    readonly source: SourceLedger,
    readonly identity: LedgerIdentity,
  ) {
    this.flags = new SlotFlags(identity.firstSlot);
    this.newestSubmitted = identity.firstSlot;
    this.newestMissed = identity.firstSlot;
    this.highest = identity.firstSlot - 1;
    this.closedTo = this.highest;
  }

  addSubmits(records: SubmitRecords): void {
    this.overflowed.submits = records.overflowed;
    for (const frameNumber of records.frameNumber) {
      const slot = unwrapFrameNumber(frameNumber, this.newestSubmitted);
      const sound = slot - this.newestSubmitted < farthestJump;
      if (sound) this.newestSubmitted = slot;
      if (!sound || !this.flags.mark(slot, Mark.Submitted)) this.anomalies += 1;
    }
  }

  addMisses(records: MissRecords): void {
    this.overflowed.misses = records.overflowed;
    for (let index = 0; index < records.frameNumber.length; index++) {
      const slot = unwrapFrameNumber(records.frameNumber[index] ?? 0, this.newestMissed);
      const sound = slot - this.newestMissed < farthestJump;
      if (sound) this.newestMissed = slot;
      if (!sound || !this.flags.mark(slot, Mark.Missed)) this.anomalies += 1;
      this.missCause.set(slot, records.cause[index] ?? 0);
    }
  }

  addCaptures(records: CaptureRecords): void {
    this.overflowed.captures = records.overflowed;
    for (let index = 0; index < records.captureNs.length; index++) this.addCapture(records, index);
  }

  /**
   * Opens a range that starts at a slot; captures count in it from now on. It starts later where the slot was seen
   * already: the schedule of a sender on another machine is only estimated.
   */
  openRange(first: number): RangeCounter {
    const counter = new RangeCounter(Math.max(first, this.highest + 1));
    this.counters.add(counter);
    return counter;
  }

  private addCapture(records: CaptureRecords, index: number): void {
    const captureNs = records.captureNs[index] ?? 0;
    const status = records.status[index] ?? CodeStatus.Undecodable;
    this.sdkDropped = records.sdkDropped[index] ?? this.sdkDropped;
    if (status === CodeStatus.Undecodable) {
      this.lastPictureClass = records.pictureClass[index] ?? 0;
      this.noteUndecodable(captureNs);
      return;
    }
    const { sourceId, senderId } = this.identity;
    const actualSender = records.senderId[index] ?? 0;
    const slot = unwrapFrameNumber(records.frameNumber[index] ?? 0, Math.max(0, this.highest));
    if (
      records.sourceId[index] !== sourceId ||
      (senderId !== 0 && actualSender !== 0 && actualSender !== senderId) ||
      slot - this.highest > farthestJump
    ) {
      this.wrongSource += 1;
      return;
    }
    this.lastPictureClass = 0;
    if (slot < this.identity.firstSlot) return;
    if (this.identity.assumeSubmitted) this.assumeSubmitted(slot);
    const isNew = this.flags.mark(slot, Mark.Seen);
    const reordered = isNew && slot < this.highest;
    for (const counter of this.counters) {
      if (!counter.contains(slot)) continue;
      counter.captured += 1;
      if (isNew) counter.firstSeen += 1;
      else counter.duplicated += 1;
      if (reordered) counter.reordered += 1;
      if (status === CodeStatus.Torn) counter.torn += 1;
      if (status === CodeStatus.Damaged) counter.damaged += 1;
      counter.addHealth(records.codeHealth[index] ?? Number.NaN);
      if (isNew) {
        this.noteInterval(counter, captureNs);
        const { wallOffsetUs } = this.identity;
        if (wallOffsetUs !== null) {
          counter.addLatency(latencyUs(captureNs / 1000 + wallOffsetUs, records.releaseTimeUs[index] ?? 0));
        }
      }
    }
    this.lastPictureNs = captureNs;
    if (isNew) this.noteNew(slot, captureNs);
  }

  private assumeSubmitted(newest: number): void {
    for (let slot = this.highest + 1; slot <= newest; slot++) {
      this.flags.mark(slot, Mark.Submitted);
      this.source.assume(slot);
    }
  }

  private noteUndecodable(captureNs: number): void {
    this.pendingUndecodable += 1;
    for (const counter of this.counters)
      if (this.isWithin(counter, captureNs)) this.noteSilence(counter, captureNs);
    this.lastPictureNs = captureNs;
    if (this.firstCaptureNs === 0) this.firstCaptureNs = captureNs;
  }

  private noteNew(slot: number, captureNs: number): void {
    if (this.firstCaptureNs === 0) this.firstCaptureNs = captureNs;
    this.lastCaptureNs = captureNs;
    if (slot <= this.highest) return;
    if (slot > Math.max(this.highest, this.closedTo) + 1 || this.pendingUndecodable > 0) {
      this.gaps.push(this.newGap(slot));
      this.pendingUndecodable = 0;
    }
    this.highest = slot;
    this.sdkDroppedAtHighest = this.sdkDropped;
  }

  private newGap(before: number): Gap {
    return {
      after: Math.max(this.highest, this.closedTo),
      before,
      sdkRise: Math.max(0, this.sdkDropped - this.sdkDroppedAtHighest),
      undecodable: this.pendingUndecodable,
      behind: Math.max(before - 1, this.closedTo + 1),
    };
  }

  private noteInterval(counter: RangeCounter, captureNs: number): void {
    const fromNs = Math.max(this.lastCaptureNs, slotNs(this.source.schedule, counter.first));
    const gapNs = captureNs - fromNs;
    counter.longestGapNs = Math.max(counter.longestGapNs, gapNs);
    this.noteSilence(counter, captureNs);
    counter.lastNewCaptureNs = captureNs;
  }

  /** A picture came, with or without a readable code: was it quiet before it for so long that it may be a stall? */
  private noteSilence(counter: RangeCounter, captureNs: number): void {
    const fromNs = Math.max(this.lastPictureNs, slotNs(this.source.schedule, counter.first));
    const silence = { fromNs, toNs: captureNs, highest: this.highest };
    if (captureNs - fromNs >= this.stallNs()) counter.silences.push(silence);
    counter.lastPictureNs = captureNs;
  }

  private isWithin(counter: RangeCounter, atNs: number): boolean {
    const { schedule } = this.source;
    return atNs >= slotNs(schedule, counter.first) && atNs <= slotNs(schedule, counter.last + 1);
  }

  /**
   * Silences in which the sender submitted. Told late, since its records may come after the captures. The sender is
   * silent itself until one period before the first frame that it submitted and that was not seen by then.
   */
  private stallsOf(counter: RangeCounter, last: number): number {
    const { schedule } = this.source;
    const endNs = slotNs(schedule, last + 1);
    const fromNs = Math.max(counter.lastPictureNs, slotNs(schedule, counter.first));
    const silences: Silence[] = [...counter.silences, { fromNs, toNs: endNs, highest: this.highest }];
    const stalls = silences.filter((silence) => {
      // Nothing is known of this sender's own silences: a picture that stands still counts.
      if (this.identity.assumeSubmitted) return silence.toNs - silence.fromNs >= this.stallNs();
      const first = this.firstSubmitted(Math.max(silence.highest + 1, counter.first), last);
      if (first === null) return false;
      const sinceNs = Math.max(silence.fromNs, slotNs(schedule, first) - slotPeriodNs(schedule.rate));
      return silence.toNs - sinceNs >= this.stallNs();
    });
    return stalls.length;
  }

  private firstSubmitted(first: number, last: number): number | null {
    for (let slot = first; slot <= last; slot++) if (this.flags.get(slot) & Mark.Submitted) return slot;
    return null;
  }

  /** Matches undecodable pictures to the numbers that are absent around them, oldest first. */
  private resolve(gap: Gap): void {
    if (gap.undecodable === 0) return;
    let left = gap.undecodable;
    this.flags.forEach(gap.after + 1, gap.before - 1, Mark.Submitted, Mark.Seen | Mark.Matched, (slot) => {
      if (left === 0) return;
      this.flags.mark(slot, Mark.Matched);
      left -= 1;
    });
    gap.undecodable = 0;
    if (left === 0) return;
    this.unmatched.set(gap.behind, (this.unmatched.get(gap.behind) ?? 0) + left);
  }

  /** Counts what is known of an open range up to `last`, for the live view: cheap, however long the range is. */
  preview(counter: RangeCounter, last: number): RangeCounts {
    for (const gap of this.gaps) if (gap.before <= last) this.resolve(gap);
    const settleTo = last - Math.ceil((settledSeconds * 1e9) / slotPeriodNs(this.source.schedule.rate));
    counter.settled ??= { tally: this.newTally(), next: counter.first };
    const { settled } = counter;
    while (settled.next <= settleTo) this.visit(settled.tally, settled.next++);
    const tally = settled.tally.copy();
    for (let slot = settled.next; slot <= last; slot++) this.visit(tally, slot);
    return this.summary(counter, last, tally, {
      firstSeen: tally.seen,
      captured: tally.seen + counter.duplicated,
    });
  }

  /**
   * Last slot of a range that ends at `last` by the schedule. The schedule of a sender on another machine is only
   * estimated: what was seen already belongs to the range.
   */
  closingSlot(last: number): number {
    const estimated = this.identity.assumeSubmitted || this.identity.wallOffsetUs === null;
    return estimated ? Math.max(last, this.highest) : last;
  }

  /** Closes a range at `last`: what was submitted and not seen by now is dropped. */
  close(counter: RangeCounter, last: number): RangeCounts {
    counter.last = last;
    this.counters.delete(counter);
    if (this.highest < last) {
      this.gaps.push(this.newGap(last + 1));
      this.pendingUndecodable = 0;
      this.sdkDroppedAtHighest = this.sdkDropped;
    }
    this.closedTo = Math.max(this.closedTo, last);
    for (const gap of this.gaps) if (gap.after <= last) this.resolve(gap);
    const tally = this.newTally();
    for (let slot = counter.first; slot <= last; slot++) this.visit(tally, slot);
    const counts = this.summary(counter, last, tally, counter);
    if (!this.identity.assumeSubmitted)
      counts.unrecorded = Math.max(0, last - counter.first + 1 - tally.scheduled);
    // What a gap across the edge lost in the queue is told once.
    for (const gap of this.gaps) {
      if (gap.before > last + 1)
        gap.sdkRise = Math.max(0, gap.sdkRise - this.droppedIn(gap, counter.first, last));
    }
    this.forgetGapsBefore(last);
    return counts;
  }

  private newTally(): RangeTally {
    const { rate } = this.source.schedule;
    return new RangeTally(defaultThresholds.lostWindowSeconds * framesPerSecond(rate));
  }

  private visit(tally: RangeTally, slot: number): void {
    const unmatched = this.unmatched.get(slot) ?? 0;
    tally.visit(slot, this.flags.get(slot), this.source.marksOf(slot), this.missCause.get(slot), unmatched);
  }

  /**
   * A closed range takes what was seen from the captures as they were counted, so that the sums below compare two
   * counts; the live view, whose captures run a second ahead of it, takes it from the marks.
   */
  private summary(
    counter: RangeCounter,
    last: number,
    tally: RangeTally,
    seen: { firstSeen: number; captured: number },
  ): RangeCounts {
    const { first } = counter;
    const gaps = this.gaps.filter((gap) => gap.before > first && gap.after <= last);
    let droppedReceiverQueue = 0;
    for (const gap of gaps) {
      if (gap.sdkRise > 0) droppedReceiverQueue += Math.min(gap.sdkRise, this.droppedIn(gap, first, last));
    }
    const received = seen.firstSeen + tally.matched;
    const captured = seen.captured + tally.matched + tally.unmatched;
    const endNs = slotNs(this.source.schedule, last + 1);
    const since = Math.max(counter.lastNewCaptureNs, slotNs(this.source.schedule, first));
    return {
      first,
      last,
      tally,
      captured,
      received,
      droppedReceiverQueue,
      duplicated: counter.duplicated,
      reordered: counter.reordered,
      torn: counter.torn,
      damaged: counter.damaged,
      undecodableUnmatched: tally.unmatched,
      stalls: this.stallsOf(counter, last),
      unrecorded: 0,
      longestGapMs: Math.max(counter.longestGapNs, endNs - since, 0) / 1e6,
      conserved:
        tally.scheduled === tally.submitted + tally.missed &&
        tally.submitted === received + tally.dropped &&
        captured === received + counter.duplicated + tally.unmatched &&
        Object.values(tally.lateCauses).reduce((sum, late) => sum + late) <= tally.lateSource &&
        this.anomalies === 0 &&
        this.source.anomalies === 0,
    };
  }

  private droppedIn(gap: Gap, first: number, last: number): number {
    let dropped = 0;
    const [from, to] = [Math.max(first, gap.after + 1), Math.min(last, gap.before - 1)];
    this.flags.forEach(from, to, Mark.Submitted, Mark.Seen | Mark.Matched, () => {
      dropped += 1;
    });
    return dropped;
  }

  private stallNs(): number {
    return stallSeconds(framesPerSecond(this.source.schedule.rate)) * 1e9;
  }

  /** Gaps before the oldest range that is still open are not asked for any more. */
  private forgetGapsBefore(last: number): void {
    let oldest = last;
    for (const counter of this.counters) oldest = Math.min(oldest, counter.first);
    while (this.gaps[0] && this.gaps[0].before <= oldest) this.gaps.shift();
  }
}

/** Time from release to capture; release times wrap at 2⁴⁸ µs. */
function latencyUs(captureUs: number, releaseUs: number): number {
  let latency = (captureUs % releaseWrap) - releaseUs;
  if (latency > releaseWrap / 2) latency -= releaseWrap;
  if (latency < -releaseWrap / 2) latency += releaseWrap;
  return latency;
}
