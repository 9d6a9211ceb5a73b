import type { CaptureCounter } from './capture-counter';
import { QueueLoss } from './queue-loss';
import { Mark, type SlotFlags } from './slot-flags';

/** The numbers between two captures that are next to each other, or after the last one. */
export interface Gap {
  after: number;
  before: number;
  /** Rise of the transport's own drop counter over the gap. */
  droppedRise: number;
  /** Pictures without a readable code that came in the gap and are not matched to a number yet. */
  undecodable: number;
  /** Slot after which those of them count that find no number. */
  behind: number;
}

/** More of them wait for what was sent in them only where its sender does not report it. */
const mostGaps = 10_000;

/**
 * The gaps between the captures of a stream, each until it is settled: then nothing more is expected in it, and what it
 * lost in the receiver's queue is marked.
 */
export class GapList {
  private readonly gaps: Gap[] = [];
  /** Undecodable pictures that found no number, by the slot after which they came. */
  private readonly unmatched = new Map<number, number>();

  constructor(private readonly flags: SlotFlags) {}

  get length(): number {
    return this.gaps.length;
  }

  /** Everything before this slot is settled, whatever is still reported of it: only the newest gaps are kept. */
  get crowdedTo(): number {
    const last = this.gaps[this.gaps.length - 1 - mostGaps];
    return last ? last.before + 1 : Number.NEGATIVE_INFINITY;
  }

  push(gap: Gap): void {
    this.gaps.push(gap);
  }

  /** Undecodable pictures after a slot that stand for no number. */
  unmatchedBehind(slot: number): number {
    // Called for each slot of a range, and nearly always empty.
    return this.unmatched.size === 0 ? 0 : (this.unmatched.get(slot) ?? 0);
  }

  /** Matches the undecodable pictures of the gaps that end at `last` or before. */
  resolveEndedBy(last: number): void {
    for (const gap of this.gaps) if (gap.before <= last) this.resolve(gap);
  }

  /** Matches the undecodable pictures of the gaps that begin at `last` or before. */
  resolveBegunBy(last: number): void {
    for (const gap of this.gaps) if (gap.after <= last) this.resolve(gap);
  }

  /** How many of the dropped frames from `first` to `last` the transport's own drop counter accounts for. */
  queuedIn(first: number, last: number): number {
    let queued = 0;
    const { Queued, Seen, Matched } = Mark;
    this.flags.forEach(first, last, Queued, Seen | Matched, () => {
      queued += 1;
    });
    for (const gap of this.gaps) queued += this.queuedOf(gap, first, last);
    return queued;
  }

  /** The same for gaps that are not settled yet. */
  unsettledQueued(first: number, last: number): QueueLoss {
    const loss = new QueueLoss();
    for (const gap of this.gaps) addLoss(loss, this.queuedOf(gap, first, last), gap, first, last);
    return loss;
  }

  /**
   * A range is closed: what a gap across its edge lost in the queue is reported to it and to the ranges around it, and not
   * once more to the one after.
   */
  reportTo(first: number, last: number, counters: Iterable<CaptureCounter>): void {
    for (const gap of this.gaps) {
      if (gap.before <= last + 1) continue;
      const reported = this.markQueued(gap, first, last);
      gap.droppedRise -= reported;
      for (const counter of counters)
        if (counter.first <= first) addLoss(counter.queueSettled, reported, gap, first, last);
    }
  }

  /** No more pictures are expected in the gaps that end before a slot: the open ranges count what these gaps lost. */
  settleBefore(slot: number, counters: Iterable<CaptureCounter>): void {
    for (let gap = this.gaps[0]; gap && gap.before < slot; gap = this.gaps[0]) {
      this.resolve(gap);
      for (const { queueSettled, first, last } of counters)
        addLoss(queueSettled, this.queuedOf(gap, first, last), gap, first, last);
      this.markQueued(gap, gap.after + 1, gap.before - 1);
      this.gaps.shift();
    }
  }

  /** What came after slots that no open range covers is not asked for any more. */
  forgetBefore(slot: number): void {
    for (const behind of this.unmatched.keys()) if (behind < slot) this.unmatched.delete(behind);
    for (let gap = this.gaps[0]; gap && gap.before <= slot; gap = this.gaps[0]) {
      this.markQueued(gap, gap.after + 1, gap.before - 1);
      this.gaps.shift();
    }
  }

  /** Matches undecodable pictures to the numbers from `first` to `last` that are absent; gives how many are left. */
  match(first: number, last: number, pictures: number): number {
    let left = pictures;
    this.flags.forEach(first, last, Mark.Submitted, Mark.Seen | Mark.Matched, (slot) => {
      if (left === 0) return;
      this.flags.mark(slot, Mark.Matched);
      left -= 1;
    });
    return left;
  }

  /** Matches the undecodable pictures of a gap to the numbers that are absent around them, oldest first. */
  private resolve(gap: Gap): void {
    if (gap.undecodable === 0) return;
    const left = this.match(gap.after + 1, gap.before - 1, gap.undecodable);
    gap.undecodable = 0;
    if (left > 0) this.unmatched.set(gap.behind, this.unmatchedBehind(gap.behind) + left);
  }

  private queuedOf(gap: Gap, first: number, last: number): number {
    return gap.droppedRise > 0 ? Math.min(gap.droppedRise, this.droppedIn(gap, first, last)) : 0;
  }

  private droppedIn(gap: Gap, first: number, last: number): number {
    let dropped = 0;
    this.eachDropped(gap, first, last, () => {
      dropped += 1;
    });
    return dropped;
  }

  /** How many of a gap's frames the queue dropped is known, but not which. */
  private markQueued(gap: Gap, first: number, last: number): number {
    const queued = this.queuedOf(gap, first, last);
    let left = queued;
    this.eachDropped(gap, first, last, (slot) => {
      if (left === 0) return;
      this.flags.mark(slot, Mark.Queued);
      left -= 1;
    });
    return queued;
  }

  /** Frames of a gap that were dropped and are not reported as the queue's yet. */
  private eachDropped(gap: Gap, first: number, last: number, visit: (slot: number) => void): void {
    const [from, to] = [Math.max(first, gap.after + 1), Math.min(last, gap.before - 1)];
    this.flags.forEach(from, to, Mark.Submitted, Mark.Seen | Mark.Matched | Mark.Queued, visit);
  }
}

/** What a gap cost the range from `first` to `last`. */
function addLoss(loss: QueueLoss, frames: number, { after, before }: Gap, first: number, last: number): void {
  loss.add(frames, Math.max(first, after + 1), Math.min(last, before - 1));
}
