import {
  type CaptureRecords,
  type MissRecords,
  PictureStatus,
  type SubmitRecords,
} from '../../../protocol/records';
import { spoiltKindOf } from '../../../protocol/spoilt-status';
import { drainSeconds } from '../../../protocol/thresholds';
import type { ReleaseClock } from '../clocks/release-clock';
import { CaptureCounter, type Span } from './capture-counter';
import { type Gap, GapList } from './gap-list';
import { latencyOf } from './latency';
import { NumberReach } from './number-reach';
import { type CountedRange, countsOf, type LedgerFacts, type RangeCounts, spanOf } from './range-counts';
import { RecentLatencies } from './recent-latencies';
import { farthestJump, unwrapFrameNumber } from './schedule';
import { SenderRecords } from './sender-records';
import { Mark, missCauseOf, SlotFlags, statusMark, statusOf } from './slot-flags';
import { SlotTally } from './slot-tally';
import { ScheduledTimes, type SlotTimes } from './slot-times';
import type { SourceLedger } from './source-ledger';
import { SpoiltRows } from './spoilt-rows';
import { stallNs } from './stalls';
import type { LongCall } from './submit-times';

export interface LedgerIdentity {
  /** Source id in the frame code; anything else is a wrong source. */
  sourceId: number;
  /** Sender id in the frame's metadata; 0 is not checked. */
  senderId: number;
  /** First slot that was offered to the sender. */
  firstSlot: number;
  /**
   * The sender's records are not known: every number up to the newest one is taken as submitted, at the time at which its
   * picture came.
   */
  assumeSubmitted: boolean;
  /** The schedule of its source is known, not estimated. Default: false. */
  isScheduled?: boolean;
  /** The clock of the release times. */
  clock: ReleaseClock;
}

/** Frames later than this change neither the live view's counts nor the share of the receiver's queue in a loss. */
export const settledSeconds = 10;
/** How long the live view waits for missing records: a link that was down delivers them when it is back. */
const waitedSeconds = 60;

/**
 * Follows every frame of one stream from the records of its stages. Pure: it knows no clock, records carry their times.
 * Source: docs/measurement.md. Numbers are slots of the schedule, unwrapped. Of a sender without records see `ArrivalLedger`.
 */
export class StreamLedger {
  readonly recentLatencies = new RecentLatencies();
  protected readonly flags: SlotFlags;
  protected readonly gaps: GapList;
  private readonly records: SenderRecords;
  private readonly reach: NumberReach;
  protected readonly counters = new Set<CaptureCounter>();
  /** Highest number seen; one less than the first slot before it. */
  protected highest: number;
  /** Last slot of the newest closed range: what it lost is reported and takes no more pictures. */
  protected closedTo: number;
  private droppedAtHighest = 0;
  private transportDropped = 0;
  private pendingUndecodable = 0;
  readonly spoiltRows = new SpoiltRows();
  /** The transport reports what its receiver's queue dropped. */
  isQueueCounted = true;
  /** Newest capture of a new number, and of any picture. */
  protected lastCaptureNs = 0;
  protected lastPictureNs = 0;
  /** The newest one that is no repeat. */
  protected lastShownNs = 0;
  firstCaptureNs = 0;
  private capturesOverflowed = 0;
  wrongSource = 0;
  lastPictureClass = 0;

  constructor(
    readonly source: SourceLedger,
    readonly identity: LedgerIdentity,
    /** When the slots are. */
    readonly times: SlotTimes = new ScheduledTimes(source.schedule),
  ) {
    this.flags = new SlotFlags(identity.firstSlot);
    this.gaps = new GapList(this.flags);
    this.reach = new NumberReach(times, identity.isScheduled ? times : null);
    this.records = new SenderRecords(this.flags, times.periodNs);
    this.highest = identity.firstSlot - 1;
    this.closedTo = this.highest;
  }

  addSubmits(records: SubmitRecords): void {
    this.records.addSubmits(records, this.counters);
  }

  addMisses(records: MissRecords): void {
    this.records.addMisses(records);
  }

  get anomalies(): number {
    return this.records.anomalies;
  }

  get overflowed(): Record<string, number> {
    return { ...this.records.overflowed, captures: this.capturesOverflowed };
  }

  /** Whether the sender can have come to a number by then; another one is nonsense from outside. */
  isWithinReach(frameNumber: number, atNs: number): boolean {
    return this.reach.allows(unwrapFrameNumber(frameNumber, Math.max(0, this.highest)), atNs);
  }

  /** Whether a record reported already what became of a number at the sender. */
  knows(frameNumber: number): boolean {
    return this.records.knows(frameNumber);
  }

  addCaptures(records: CaptureRecords): void {
    this.capturesOverflowed = records.overflowed;
    for (let index = 0; index < records.captureNs.length; index++) this.addCapture(records, index);
  }

  /** End of the newest slot that the sender reported; 0 before the first. */
  get reportedToNs(): number {
    const { newest } = this.records;
    const isReported = (this.flags.get(newest) & (Mark.Submitted | Mark.Missed)) !== 0;
    return isReported ? this.times.nsOf(newest + 1) : 0;
  }

  /** When the newest picture of any kind came, 0 before the first. */
  get newestPictureNs(): number {
    return this.lastPictureNs;
  }

  /** The same for pictures that do not repeat an earlier one: a picture that is shown again and again stands still. */
  get newestFrameNs(): number {
    return this.lastShownNs;
  }

  /**
   * Opens a range that starts at a slot; captures count in it from now on. It starts later where the slot was seen
   * already: the schedule of a sender on another machine is only estimated.
   */
  openRange(first: number, lostWindowSeconds?: number): CaptureCounter {
    return this.opened(new CaptureCounter(Math.max(first, this.highest + 1), lostWindowSeconds));
  }

  /** The same for a range that starts at a moment. */
  openRangeAt(fromNs: number, lostWindowSeconds?: number): CaptureCounter {
    return this.openRange(this.times.slotFrom(fromNs), lostWindowSeconds);
  }

  /** The same for a range that starts with a picture that comes next. */
  openRangeWith(frameNumber: number, _captureNs: number, lostWindowSeconds?: number): CaptureCounter {
    return this.openRange(unwrapFrameNumber(frameNumber, this.identity.firstSlot), lostWindowSeconds);
  }

  protected opened(counter: CaptureCounter): CaptureCounter {
    counter.highest = this.highest;
    counter.anomaliesBefore = this.anomalies + this.source.anomalies;
    this.counters.add(counter);
    return counter;
  }

  /** A range will end at a moment that lies ahead. */
  boundRange(counter: CaptureCounter, untilNs: number): void {
    counter.last = this.lastSlotBefore(untilNs);
  }

  /** A range ends at a moment, now or earlier; what was seen already belongs to it. */
  endRange(counter: CaptureCounter, toNs: number): void {
    counter.last = Math.min(counter.last, this.closingSlot(this.lastSlotBefore(toNs)));
  }

  /** Last slot that lies wholly before a moment. */
  lastSlotBefore(toNs: number): number {
    const slot = this.times.slotFrom(toNs) - 1;
    return this.times.nsOf(slot) < toNs ? slot : slot - 1;
  }

  /** Captures count in it no more, and it is not closed. */
  forget(counter: CaptureCounter): void {
    this.counters.delete(counter);
  }

  private addCapture(records: CaptureRecords, index: number): void {
    const captureNs = records.captureNs[index] ?? 0;
    const status = records.status[index] ?? PictureStatus.Undecodable;
    const dropped = records.transportDropped[index] ?? Number.NaN;
    if (!Number.isNaN(dropped)) this.transportDropped = dropped;
    if (status === PictureStatus.Undecodable) {
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
      slot - this.highest > farthestJump ||
      !this.reach.take(slot, captureNs)
    ) {
      this.wrongSource += 1;
      this.noteOther(captureNs);
      return;
    }
    this.lastPictureClass = 0;
    if (slot < this.identity.firstSlot) return;
    this.noteNumber(slot, captureNs);
    const isNew = this.flags.mark(slot, Mark.Seen);
    if (isNew && status !== PictureStatus.Good) {
      this.flags.mark(slot, statusMark(status));
      this.spoiltRows.note(slot, records.firstSpoiltRow[index] ?? 0, records.lastSpoiltRow[index] ?? 0);
    }
    const reordered = isNew && slot < this.highest;
    const latency = isNew
      ? latencyOf(this.identity.clock, captureNs, records.releaseTimeUs[index] ?? 0)
      : null;
    if (latency) this.recentLatencies.add(captureNs, latency);
    for (const counter of this.counters) {
      if (!this.takes(counter, slot, captureNs, isNew)) {
        if (isNew && this.isWithin(counter, captureNs)) this.noteSilence(counter, captureNs, slot);
        continue;
      }
      counter.captured += 1;
      if (reordered) counter.reordered += 1;
      counter.addHealth(records.codeHealth[index] ?? Number.NaN);
      if (isNew && counter.contains(slot)) {
        counter.firstSeen += 1;
        this.noteWholeness(counter, records, index);
        this.noteInterval(counter, captureNs, slot);
        if (latency !== null) counter.addLatency(latency.us, latency.uncertaintyUs);
        continue;
      }
      counter.duplicated += 1;
      if (isNew) this.noteSilence(counter, captureNs, slot);
    }
    this.lastPictureNs = captureNs;
    if (!isNew) return;
    this.lastShownNs = captureNs;
    this.noteNew(slot, captureNs);
  }

  private noteWholeness(counter: CaptureCounter, records: CaptureRecords, index: number): void {
    const kind = spoiltKindOf(records.status[index] ?? PictureStatus.Good);
    if (kind) counter.spoilt[kind] += 1;
    counter.linePlaces += records.linePlaces[index] ?? 0;
    counter.lineWitnesses += records.lineWitnesses[index] ?? 0;
  }

  /** A picture counts in the range of its slot. */
  protected takes(counter: CaptureCounter, slot: number, _captureNs: number, _isNew: boolean): boolean {
    return counter.contains(slot);
  }

  /** A picture with this number came, before it counts. */
  protected noteNumber(_slot: number, _captureNs: number): void {}

  /** A picture of another source or sender came. */
  protected noteOther(captureNs: number): void {
    for (const counter of this.counters) {
      if (!this.isWithin(counter, captureNs)) continue;
      counter.wrongSource += 1;
      counter.otherSinceNs ||= captureNs;
    }
  }

  private noteUndecodable(captureNs: number): void {
    this.keepUndecodable(captureNs);
    for (const counter of this.counters)
      if (this.isWithin(counter, captureNs)) this.noteSilence(counter, captureNs, this.highest);
    this.lastPictureNs = captureNs;
    this.lastShownNs = captureNs;
    if (this.firstCaptureNs === 0) this.firstCaptureNs = captureNs;
  }

  protected keepUndecodable(captureNs: number): void {
    this.pendingUndecodable += 1;
    for (const counter of this.counters)
      if (captureNs > this.spanOf(counter).toNs) counter.undecodableLater += 1;
  }

  private noteNew(slot: number, captureNs: number): void {
    if (this.firstCaptureNs === 0) this.firstCaptureNs = captureNs;
    this.lastCaptureNs = captureNs;
    if (slot <= this.highest) return;
    if (slot > Math.max(this.highest, this.closedTo) + 1 || this.pendingUndecodable > 0) {
      this.gaps.push(this.newGap(slot));
      this.pendingUndecodable = 0;
      for (const counter of this.counters) counter.undecodableLater = 0;
    }
    this.highest = slot;
    this.droppedAtHighest = this.transportDropped;
    const settled = this.reportedUpTo(slot) - Math.ceil(this.slotsIn(settledSeconds));
    if (this.gaps.length > 0) this.gaps.settleBefore(Math.max(settled, this.gaps.crowdedTo), this.counters);
  }

  /** For frames that are not reported as submitted yet, it is not known whether they are lost. */
  protected reportedUpTo(slot: number): number {
    return Math.min(slot, this.records.newestSubmitted);
  }

  /** Undecodable pictures after the highest number stand for those that are absent up to `last`, oldest first. */
  private matchPending(last: number): void {
    const first = Math.max(this.highest, this.closedTo) + 1;
    if (this.pendingUndecodable > 0)
      this.pendingUndecodable = this.gaps.match(first, last, this.pendingUndecodable);
  }

  private newGap(before: number): Gap {
    return {
      after: Math.max(this.highest, this.closedTo),
      before,
      droppedRise: Math.max(0, this.transportDropped - this.droppedAtHighest),
      undecodable: this.pendingUndecodable,
      behind: Math.max(before - 1, this.closedTo + 1),
    };
  }

  private noteInterval(counter: CaptureCounter, captureNs: number, slot: number): void {
    if (this.lastCaptureNs > 0) counter.receiveInterval.add((captureNs - this.lastCaptureNs) / 1000);
    this.noteGap(counter, captureNs);
    this.noteSilence(counter, captureNs, slot);
    counter.otherSinceNs = 0;
  }

  protected noteGap(counter: CaptureCounter, captureNs: number): void {
    const fromNs = Math.max(this.lastCaptureNs, this.spanOf(counter).fromNs);
    counter.longestGapNs = Math.max(counter.longestGapNs, captureNs - fromNs);
    counter.lastNewCaptureNs = captureNs;
  }

  /**
   * A picture came, with or without a readable code, and with it number `slot` was seen: was it quiet before it for so long
   * that it may be a stall?
   */
  protected noteSilence(counter: CaptureCounter, captureNs: number, slot: number): void {
    const fromNs = Math.max(this.lastShownNs, this.spanOf(counter).fromNs);
    if (captureNs - fromNs >= this.shortestStallNs())
      counter.silences.push({ fromNs, toNs: captureNs, highest: this.highest });
    counter.lastPictureNs = captureNs;
    counter.highest = Math.max(this.highest, slot);
  }

  protected shortestStallNs(): number {
    return stallNs(this.times);
  }

  protected isWithin(counter: CaptureCounter, atNs: number): boolean {
    const { fromNs, toNs } = this.spanOf(counter);
    return atNs >= fromNs && atNs <= toNs;
  }

  protected spanOf({ first, last }: CaptureCounter): Span {
    return { fromNs: this.times.nsOf(first), toNs: this.times.nsOf(last + 1) };
  }

  slotsIn(seconds: number): number {
    return (seconds * 1e9) / this.times.periodNs;
  }

  /** Counts what is known of an open range up to a moment, for the live view: cheap, however long the range is. */
  previewTo(counter: CaptureCounter, toNs: number): RangeCounts {
    return this.preview(counter, this.lastSlotBefore(toNs));
  }

  /** The same up to a slot. */
  preview(counter: CaptureCounter, last: number): RangeCounts {
    this.gaps.resolveEndedBy(last);
    this.matchPending(last);
    const settledSlots = Math.ceil(this.slotsIn(settledSeconds));
    const waitedSlots = (settledSlots * waitedSeconds) / settledSeconds;
    counter.settled ??= {
      tally: this.newTally(counter),
      next: counter.first,
      toNs: 0,
      resumed: last,
      looked: last,
    };
    const { settled } = counter;
    // Behind a time of which nothing was reported, what is read next may still be of frames that were due in it.
    if (last - settled.looked > this.slotsIn(drainSeconds)) settled.resumed = last;
    settled.looked = last;
    const waitedTo = last - settled.resumed < waitedSlots ? settled.next : last - waitedSlots;
    const settleTo = Math.max(Math.min(last, this.records.newest, this.highest), waitedTo) - settledSlots;
    while (settled.next <= settleTo) this.visit(settled.tally, settled.next++);
    const tally = settled.tally.copy();
    // After newer records that arrived this much later, no older one arrives: a closed row stops waiting.
    const recordedTo = this.records.newest - Math.ceil(this.slotsIn(drainSeconds));
    const dueTo = Math.max(settled.next - 1, Math.min(last, recordedTo));
    for (let slot = settled.next; slot <= dueTo; slot++) this.visit(tally, slot);
    const silence = this.silence(counter, last, true);
    const unrecorded = this.unrecordedIn(tally, { first: counter.first, to: dueTo, last }, silence);
    for (let slot = dueTo + 1; slot <= last; slot++) this.visit(tally, slot);
    const seen = { firstSeen: tally.seen, captured: tally.seen + counter.duplicated };
    const span = { ...this.spanOf(counter), toNs: this.times.nsOf(last + 1) };
    return { ...this.summary({ counter, last, span, tally, seen }, silence), ...unrecorded };
  }

  /**
   * Last slot of a range that ends at `last` by the schedule. The schedule of a sender on another machine is only
   * estimated: what was seen already belongs to the range.
   */
  closingSlot(last: number): number {
    return this.identity.clock.isShared ? last : Math.max(last, this.highest);
  }

  /** Closes a range that has ended: what was submitted and not seen by now is dropped. */
  closeRange(counter: CaptureCounter): RangeCounts {
    return this.close(counter, counter.last);
  }

  /** Closes a range at a slot. */
  close(counter: CaptureCounter, last: number): RangeCounts {
    counter.last = last;
    this.counters.delete(counter);
    if (this.highest < last) {
      this.matchPending(last);
      // Those that came after the range and find no number in it stand for numbers after it.
      const later = Math.min(this.pendingUndecodable, counter.undecodableLater);
      this.pendingUndecodable -= later;
      this.gaps.push(this.newGap(last + 1));
      this.pendingUndecodable = later;
      this.droppedAtHighest = this.transportDropped;
    }
    this.closedTo = Math.max(this.closedTo, last);
    this.gaps.resolveBegunBy(last);
    const tally = this.newTally(counter);
    for (let slot = counter.first; slot <= last; slot++) this.visit(tally, slot);
    const span = this.spanOf(counter);
    const silence = this.silence(counter, last, false);
    const counts = this.summary({ counter, last, span, tally, seen: counter }, silence);
    this.settle(counter, last);
    return { ...counts, ...this.unrecordedIn(tally, { first: counter.first, to: last, last }, silence) };
  }

  /** What a closed range lost in the queue is reported. */
  protected settle({ first }: CaptureCounter, last: number): void {
    this.gaps.reportTo(first, last, this.counters);
    this.gaps.forgetBefore(Math.min(last, ...[...this.counters].map((open) => open.first)));
  }

  /** What the sender did in a range. None of its frames counts as dropped, because this side does not know what became of them. */
  sent(counter: CaptureCounter, last: number): SlotTally {
    const tally = this.newTally(counter);
    for (let slot = counter.first; slot <= last; slot++) {
      const marks = this.flags.get(slot);
      tally.visit(slot, marks & Mark.Submitted ? marks | Mark.Seen : marks, this.source.marksOf(slot), 0);
    }
    return tally;
  }

  /** How many of the dropped frames from `first` to `last` the transport's own drop counter accounts for. */
  queuedIn(first: number, last: number): number {
    return this.gaps.queuedIn(first, last);
  }

  /** Whether any frame from `first` to `last` was missed, dropped, undecodable or spoilt. */
  hasLost(first: number, last: number): boolean {
    for (let slot = Math.max(first, this.flags.first); slot <= last; slot++)
      if (this.isLost(slot)) return true;
    return false;
  }

  /** How many of the numbers from `first` to `last` were missed, dropped, undecodable or spoilt. */
  lostIn(first: number, last: number): number {
    let lost = 0;
    for (let slot = Math.max(first, this.flags.first); slot <= last; slot++) if (this.isLost(slot)) lost += 1;
    return lost;
  }

  /** How many of them a fault explains that the sender says it put in itself: it left them out, or else spoilt them. */
  saidInjectedIn(first: number, last: number, mark: number): number {
    let said = 0;
    for (let slot = Math.max(first, this.flags.first); slot <= last; slot++)
      if (this.source.marksOf(slot) & mark && this.isLost(slot)) said += 1;
    return said;
  }

  private isLost(slot: number): boolean {
    const marks = this.flags.get(slot);
    const isAbsent = (marks & (Mark.Missed | Mark.Submitted)) !== 0 && (marks & Mark.Seen) === 0;
    return isAbsent || statusOf(marks) !== PictureStatus.Good;
  }

  /** The slot of a number that was seen; null for any other. */
  seenSlot(frameNumber: number): number | null {
    const slot = unwrapFrameNumber(frameNumber, Math.max(0, this.highest));
    return this.wasSeen(slot) ? slot : null;
  }

  /** The newest slot up to `last` that was seen; if none was, the slot before the first one. */
  newestSeen(last: number): number {
    let slot = Math.min(last, this.highest);
    while (slot >= this.identity.firstSlot && !this.wasSeen(slot)) slot -= 1;
    return slot;
  }

  wasSeen(slot: number): boolean {
    return (this.flags.get(slot) & Mark.Seen) !== 0;
  }

  wasSubmitted(slot: number): boolean {
    return (this.flags.get(slot) & Mark.Submitted) !== 0;
  }

  /** Why a slot was missed (`MissCause`); null: it was not. */
  missCauseAt(slot: number): number | null {
    const marks = this.flags.get(slot);
    return marks & Mark.Missed ? missCauseOf(marks) : null;
  }

  /** Send calls of the transport that took longer than a frame, oldest first. */
  get longCalls(): readonly LongCall[] {
    return this.records.longCalls;
  }

  protected newTally({ lostWindowSeconds }: CaptureCounter): SlotTally {
    return new SlotTally(this.slotsIn(lostWindowSeconds), this.slotsIn(1));
  }

  private visit(tally: SlotTally, slot: number): void {
    tally.visit(slot, this.flags.get(slot), this.source.marksOf(slot), this.gaps.unmatchedBehind(slot));
  }

  /**
   * The end of a range that has neither pictures nor records. While the range is open, these may still be on their way if the silence is
   * short. Pictures without a readable code are no silence.
   */
  private silence({ first }: CaptureCounter, last: number, isOpen: boolean): LedgerFacts['silence'] {
    const { highest, records, lastPictureNs, lastPictureClass, times } = this;
    const endNs = times.nsOf(last + 1);
    if (lastPictureClass !== 0 && lastPictureNs >= endNs) return null;
    const known = Math.max(highest, records.newest);
    const firstSlot = Math.max(known + 1, first);
    const sinceNs = times.nsOf(known + 1);
    if (firstSlot > last || (isOpen && endNs - sinceNs < stallNs(times))) return null;
    return { fromNs: times.nsOf(firstSlot), toNs: endNs, sinceNs, frames: last - firstSlot + 1 };
  }

  protected summary(range: CountedRange, silence: LedgerFacts['silence']): RangeCounts {
    const { flags, gaps, source, times, identity, isQueueCounted, anomalies } = this;
    const { assumeSubmitted } = identity;
    const lostAt = this.worstTime(range.tally);
    const counting = { assumeSubmitted, isQueueCounted, anomalies };
    return countsOf(range, { flags, gaps, source, times, ...counting, lostAt, silence });
  }

  /** When the worst window of the verdict was. */
  protected worstTime({ worstWindow }: SlotTally): Span | null {
    return spanOf(this.times, worstWindow);
  }

  /**
   * How many of the slots from `first` to `to` in a tally have no record.
   * @param last that of the range, where the silence ends
   */
  private unrecordedIn(
    tally: SlotTally,
    { first, to, last }: { first: number; to: number; last: number },
    silence: LedgerFacts['silence'],
  ): Pick<RangeCounts, 'unrecorded' | 'unreported' | 'worstAbsent'> {
    const unrecorded = Math.max(0, to - first + 1 - tally.scheduled);
    const silent = Math.max(0, (silence?.frames ?? 0) - (last - to));
    const unreported = Math.max(0, tally.unreported - silent);
    const at = unreported > 0 ? spanOf(this.times, tally.worstAbsentWindow) : null;
    return { unrecorded, unreported, worstAbsent: at && { frames: tally.worstWindowAbsent, at } };
  }
}
