import { noSpoilt, spoiltSum } from '../../../facts/spoilt';
import { LateCause, MissCause } from '../../../protocol/records';
import { spoiltKindOf } from '../../../protocol/spoilt-status';
import { FrameList } from './frame-list';
import { LostRuns } from './lost-runs';
import { SlidingLoss } from './sliding-loss';
import { Mark, missCauseOf, SourceMark, statusOf } from './slot-flags';

export type MissCauses = Record<keyof typeof MissCause, number>;

/** Late pictures by their cause. */
export type LateCauses = Record<Exclude<keyof typeof LateCause, 'None'>, number>;

const lateNames = (Object.keys(LateCause) as (keyof typeof LateCause)[]).filter(
  (name): name is keyof LateCauses => name !== 'None',
);

const causeNames = Object.keys(MissCause) as (keyof typeof MissCause)[];

/** Sums over a range of slots, taken in one pass over the marks of stream and source, in the order of the slots. */
export class SlotTally {
  scheduled = 0;
  /** Slots with neither a picture nor a record. */
  unreported = 0;
  lateSource = 0;
  lateCauses: LateCauses = { Disk: 0, Decode: 0, Damaged: 0, Command: 0 };
  submitted = 0;
  /** Submitted numbers that were captured. */
  seen = 0;
  missed = 0;
  /** Submitted numbers that were captured, but not whole: for the verdict they are lost. */
  spoilt = noSpoilt();
  /** Undecodable pictures that stand for a number. */
  matched = 0;
  /** Undecodable pictures that stand for none: no number was absent, or it came after all. */
  unmatched = 0;
  dropped = 0;
  droppedFrames = new FrameList();
  missedFrames = new FrameList();
  lastMissed = 0;
  missCauses: MissCauses = { SourceSkipped: 0, SendBlocked: 0, SenderLate: 0, Injected: 0 };
  lost = new LostRuns();
  private window: SlidingLoss;
  private second: SlidingLoss;
  /** With the slots that are unreported. */
  private absent: SlidingLoss;

  /** Lengths of the sliding window of the verdict and of a second: in slots, or in what places are given in. */
  constructor(
    private readonly windowLength: number,
    private readonly secondLength: number,
  ) {
    this.window = new SlidingLoss(windowLength);
    this.second = new SlidingLoss(secondLength);
    this.absent = new SlidingLoss(windowLength);
  }

  /** Frames that are lost for the verdict: they never came, or not as they were sent. */
  get lostFrames(): number {
    return this.dropped + this.matched + this.unmatched + spoiltSum(this.spoilt);
  }

  /** Most lost frames in one window of the verdict, and in one second. */
  get worstWindowLost(): number {
    return this.window.worst;
  }

  /** Places of the first and the last lost frame of that window; null: none was lost. */
  get worstWindow(): { first: number; last: number } | null {
    return this.window.worstPlaces;
  }

  /** The same for frames that are lost or unreported. */
  get worstWindowAbsent(): number {
    return this.absent.worst;
  }

  get worstAbsentWindow(): { first: number; last: number } | null {
    return this.absent.worstPlaces;
  }

  get worstSecondLost(): number {
    return this.second.worst;
  }

  copy(): SlotTally {
    const copy = Object.assign(new SlotTally(this.windowLength, this.secondLength), this);
    copy.droppedFrames = this.droppedFrames.copy();
    copy.missedFrames = this.missedFrames.copy();
    copy.missCauses = { ...this.missCauses };
    copy.lateCauses = { ...this.lateCauses };
    copy.spoilt = { ...this.spoilt };
    copy.lost = this.lost.copy();
    copy.window = this.window.copy();
    copy.second = this.second.copy();
    copy.absent = this.absent.copy();
    return copy;
  }

  /**
   * `unmatched`: undecodable pictures after this slot that stand for no number. `place`: where it lies in the sliding windows;
   * of a frame that came whole it is not asked for.
   */
  visit(slot: number, marks: number, sourceMarks: number, unmatched: number, place = slot): void {
    this.addUnmatched(place, unmatched);
    if (sourceMarks & SourceMark.Scheduled) this.scheduled += 1;
    else if (!(marks & Mark.Seen)) this.addUnreported(place);
    if (marks & Mark.Missed) this.addMissed(slot, marks);
    if (!(marks & Mark.Submitted)) return;
    this.submitted += 1;
    if (sourceMarks & ~SourceMark.Scheduled) this.addLate(sourceMarks);
    if (marks & Mark.Seen) {
      this.seen += 1;
      if (marks & Mark.Matched) this.addUnmatched(place, 1);
      this.addSpoilt(slot, statusOf(marks), place);
      return;
    }
    if (marks & Mark.Matched) {
      this.matched += 1;
      this.lost.add(slot, 'undecodable');
    } else {
      this.dropped += 1;
      this.lost.add(slot, 'dropped');
      this.droppedFrames.add(slot);
    }
    this.addLost(place);
  }

  private addLate(sourceMarks: number): void {
    if (sourceMarks & SourceMark.LateSource) this.lateSource += 1;
    for (const name of lateNames) if (sourceMarks & SourceMark[name]) this.lateCauses[name] += 1;
  }

  private addMissed(slot: number, marks: number): void {
    this.missed += 1;
    this.lastMissed = slot;
    this.missedFrames.add(slot);
    const cause = missCauseOf(marks);
    const name = causeNames.find((candidate) => MissCause[candidate] === cause);
    if (name) this.missCauses[name] += 1;
    this.lost.add(slot, 'sender', cause);
  }

  /** A picture that came, but not as it was sent. */
  private addSpoilt(slot: number, status: number, place: number): void {
    const kind = spoiltKindOf(status);
    if (!kind) return;
    this.spoilt[kind] += 1;
    this.lost.add(slot, kind);
    this.addLost(place);
  }

  /** Undecodable pictures that stand for no number, at one place. */
  addUnmatched(place: number, pictures: number): void {
    this.unmatched += pictures;
    for (let index = 0; index < pictures; index++) this.addLost(place);
  }

  private addUnreported(place: number): void {
    this.unreported += 1;
    this.absent.add(place);
  }

  private addLost(place: number): void {
    this.window.add(place);
    this.absent.add(place);
    this.second.add(place);
  }
}
