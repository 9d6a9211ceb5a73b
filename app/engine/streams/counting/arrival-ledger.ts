import { ArrivalTimes } from './arrival-times';
import { CaptureCounter, type Span } from './capture-counter';
import { OtherPictures } from './other-pictures';
import type { LedgerFacts, RangeCounts } from './range-counts';
import { unwrapFrameNumber } from './schedule';
import { Mark, statusOf } from './slot-flags';
import { SlotTally } from './slot-tally';
import { ScheduledTimes } from './slot-times';
import type { SourceLedger } from './source-ledger';
import { stallNs } from './stalls';
import { type LedgerIdentity, StreamLedger, settledSeconds } from './stream-ledger';
import { UnreadPictures } from './unread-pictures';

/** No stall is shorter. */
const shortestStallNs = stallNs({ periodNs: 1 });

/**
 * Follows a sender whose records are not known by its numbers and by when its pictures came. Its ranges are stretches of time: the first
 * and the last slot of one follow from the pictures at its beginning and after its end, and never from a rate.
 */
export class ArrivalLedger extends StreamLedger {
  private readonly unread = new UnreadPictures();
  private readonly others = new OtherPictures();

  constructor(
    source: SourceLedger,
    identity: LedgerIdentity,
    override readonly times = new ArrivalTimes(new ScheduledTimes(source.schedule).periodNs),
  ) {
    super(source, identity, times);
  }

  /** Whether reordering and losses explain that a number comes at a time. */
  explains(frameNumber: number, atNs: number): boolean {
    const slot = unwrapFrameNumber(frameNumber, Math.max(0, this.highest));
    return this.times.explains({ slot, ns: atNs });
  }

  override openRangeAt(fromNs: number, lostWindowSeconds?: number): CaptureCounter {
    const time = { fromNs: Math.max(fromNs, this.lastPictureNs + 1), toNs: Number.POSITIVE_INFINITY };
    return this.opened(new CaptureCounter(this.highest + 1, lostWindowSeconds, time));
  }

  override openRangeWith(
    _frameNumber: number,
    captureNs: number,
    lostWindowSeconds?: number,
  ): CaptureCounter {
    return this.openRangeAt(captureNs, lostWindowSeconds);
  }

  override boundRange(counter: CaptureCounter, untilNs: number): void {
    this.spanOf(counter).toNs = untilNs;
  }

  override endRange(counter: CaptureCounter, toNs: number): void {
    const span = this.spanOf(counter);
    span.toNs = Math.min(span.toNs, Math.max(toNs, this.lastPictureNs + 1));
    this.bound(counter);
  }

  override lastSlotBefore(toNs: number): number {
    return this.times.slotFrom(toNs) - 1;
  }

  override previewTo(counter: CaptureCounter, toNs: number): RangeCounts {
    const span = { ...this.spanOf(counter), toNs };
    counter.settled ??= {
      tally: this.newTally(counter),
      next: counter.first,
      toNs: span.fromNs,
      resumed: 0,
      looked: 0,
    };
    const { settled } = counter;
    const settleToNs = Math.min(toNs - settledSeconds * 1e9, this.unread.openSinceNs);
    if (counter.isBegun && settleToNs > settled.toNs) {
      const last = this.lastSlotBefore(settleToNs);
      this.visitAll(settled.tally, { first: settled.next, last }, settled.toNs, settleToNs);
      settled.next = last + 1;
      settled.toNs = settleToNs;
    }
    const tally = settled.tally.copy();
    const first = Math.max(settled.next, counter.first);
    const last = this.lastSlotBefore(toNs);
    this.visitAll(tally, { first, last }, settled.toNs, toNs);
    const seen = { firstSeen: tally.seen, captured: tally.seen + counter.duplicated };
    return this.summary({ counter, last, span, tally, seen }, this.silentEnd(span, true));
  }

  override closeRange(counter: CaptureCounter): RangeCounts {
    const span = this.spanOf(counter);
    const last = Math.min(counter.last, this.highest);
    counter.last = last;
    this.counters.delete(counter);
    this.closedTo = Math.max(this.closedTo, last);
    const tally = this.newTally(counter);
    this.visitAll(tally, { first: counter.first, last }, span.fromNs, span.toNs);
    const range = { counter, last, span, tally, seen: counter };
    const counts = this.summary(range, this.silentEnd(span, false));
    this.settle(counter, last);
    const open = [...this.counters].map((other) => this.spanOf(other).fromNs);
    this.unread.forgetBefore(Math.min(span.toNs, ...open));
    return counts;
  }

  /** One that shows nothing new counts when it came, and so does a number whose range is closed. */
  protected override takes(
    counter: CaptureCounter,
    slot: number,
    captureNs: number,
    isNew: boolean,
  ): boolean {
    if (isNew && counter.contains(slot)) return true;
    if (!this.isWithin(counter, captureNs)) return false;
    const { fromNs } = this.spanOf(counter);
    const isBefore = (other: CaptureCounter): boolean =>
      this.spanOf(other).toNs <= fromNs && other.contains(slot);
    return !isNew || (slot < counter.first && ![...this.counters].some(isBefore));
  }

  protected override noteNumber(slot: number, captureNs: number): void {
    if (slot > this.highest) this.reachSlot(slot, captureNs);
    else this.assume(slot, Mark.Submitted);
  }

  protected override noteOther(captureNs: number): void {
    this.others.add(captureNs, stallNs(this.times));
    for (const counter of this.counters) {
      if (!this.isWithin(counter, captureNs)) continue;
      counter.wrongSource += 1;
      const shownNs = captureNs - Math.max(this.lastPictureNs, this.spanOf(counter).fromNs);
      counter.otherNs += Math.min(shownNs, stallNs(this.times));
      this.noteGap(counter, captureNs);
      this.noteSilence(counter, captureNs, this.highest);
    }
    this.lastPictureNs = captureNs;
    this.lastShownNs = captureNs;
    this.lastCaptureNs = captureNs;
  }

  protected override keepUndecodable(captureNs: number): void {
    this.unread.add(captureNs);
  }

  protected override reportedUpTo(slot: number): number {
    return slot;
  }

  /** The rate may still be found to be another. */
  protected override shortestStallNs(): number {
    return shortestStallNs;
  }

  protected override isWithin(counter: CaptureCounter, atNs: number): boolean {
    const { fromNs, toNs } = this.spanOf(counter);
    return atNs >= fromNs && atNs < toNs;
  }

  protected override spanOf(counter: CaptureCounter): Span {
    return counter.time ?? super.spanOf(counter);
  }

  /** Its windows are as long in time, half a period less: the jitter of the slot after them. */
  protected override newTally({ lostWindowSeconds }: CaptureCounter): SlotTally {
    const shorterNs = this.times.periodNs / 2;
    return new SlotTally(lostWindowSeconds * 1e9 - shorterNs, 1e9 - shorterNs);
  }

  protected override worstTime({ worstWindow }: SlotTally): Span | null {
    return worstWindow && { fromNs: worstWindow.first, toNs: worstWindow.last + this.times.periodNs };
  }

  /** A number higher than all before came: of the slots up to it, those were submitted that were due. */
  private reachSlot(slot: number, ns: number): void {
    const { times } = this;
    const before = times.newest;
    const first = (before?.slot ?? this.highest) + 1;
    // The rate may have become slower just now.
    const stepNs = before ? (ns - before.ns) / (slot - before.slot) : 0;
    const besideNs = Math.max(times.periodNs, stepNs);
    const unread = this.unread.match(before, { slot, ns });
    for (const arrival of unread) times.addUnread(arrival);
    times.add({ slot, ns });
    for (let due = first; due < slot; due++)
      if (!this.others.cover(times.nsOf(due), besideNs)) this.assume(due, Mark.Submitted);
    for (const matched of unread) this.assume(matched.slot, Mark.Submitted | Mark.Matched);
    this.assume(slot, Mark.Submitted);
    this.others.clear();
    for (const counter of this.counters) this.bound(counter);
  }

  private assume(slot: number, marks: number): void {
    this.flags.mark(slot, marks);
    this.source.assume(slot);
  }

  private bound(counter: CaptureCounter): void {
    const { newest } = this.times;
    const { fromNs, toNs } = this.spanOf(counter);
    if (!newest) return;
    if (!counter.isBegun) {
      counter.first = this.times.slotFrom(fromNs);
      counter.isBegun = newest.ns >= fromNs;
    }
    if (newest.ns >= toNs && counter.last === Number.POSITIVE_INFINITY)
      counter.last = this.times.slotFrom(toNs) - 1;
  }

  /** Slots in their order, and between them the pictures that stand for none, when they came. */
  private visitAll(
    tally: SlotTally,
    { first, last }: { first: number; last: number },
    fromNs: number,
    toNs: number,
  ): void {
    const unmatched = this.unread.within(fromNs, toNs);
    let next = 0;
    const addUntil = (atNs: number): void => {
      for (; (unmatched[next] ?? atNs) < atNs; next++) tally.addUnmatched(unmatched[next] ?? atNs, 1);
    };
    for (let slot = first; slot <= last; slot++) {
      const marks = this.flags.get(slot);
      const isWhole = (marks & (Mark.Seen | Mark.Matched)) === Mark.Seen && !statusOf(marks);
      const isPlaced = !isWhole || next < unmatched.length;
      const atNs = isPlaced ? this.times.nsOf(slot) : 0;
      if (isPlaced) addUntil(atNs);
      tally.visit(slot, marks, this.source.marksOf(slot), 0, atNs);
    }
    addUntil(toNs);
  }

  /**
   * The end of a stretch of time in which no picture came any more, of any source, but repeats of an earlier one. While it is open a
   * short one may be on its way.
   */
  private silentEnd({ fromNs, toNs }: Span, isOpen: boolean): LedgerFacts['silence'] {
    const { lastShownNs, times } = this;
    const sinceNs = lastShownNs + times.periodNs;
    if (lastShownNs === 0 || (isOpen && toNs - sinceNs < stallNs(times))) return null;
    const beganNs = Math.max(sinceNs, fromNs);
    const frames = Math.ceil((toNs - beganNs) / times.periodNs - 1e-3);
    if (frames < 1) return null;
    return { fromNs: beganNs, toNs, sinceNs, frames };
  }
}

/** The ledger that fits to what is known of a sender. */
export function ledgerOf(source: SourceLedger, identity: LedgerIdentity): StreamLedger {
  return identity.assumeSubmitted ? new ArrivalLedger(source, identity) : new StreamLedger(source, identity);
}
