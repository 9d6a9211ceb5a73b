import { InjectedFault, LateCause, SlotState, type SourceRecords } from '../../../protocol/records';
import { farthestJump, type Schedule, unwrapFrameNumber } from './schedule';
import { SlotFlags, SourceMark } from './slot-flags';

const causeMarks = new Map<number, number>([
  [LateCause.Disk, SourceMark.Disk],
  [LateCause.Decode, SourceMark.Decode],
  [LateCause.Damaged, SourceMark.Damaged],
  [LateCause.Command, SourceMark.Command],
]);

/** What the source's own thread wrote down: which slots there were, and which pictures came too late. */
export class SourceLedger {
  private readonly flags: SlotFlags;
  private newestSlot: number;
  /** Records that broke the rule of one record for each slot. */
  anomalies = 0;
  overflowed = 0;
  /** False: only slots are known, not which pictures came too late. */
  reportsLatePictures = true;

  /** `firstSlot`: the lowest slot that anybody will ask for. */
  constructor(
    readonly schedule: Schedule,
    firstSlot = 0,
  ) {
    this.flags = new SlotFlags(firstSlot);
    this.newestSlot = firstSlot;
  }

  add(records: SourceRecords): void {
    this.overflowed = records.overflowed;
    for (let index = 0; index < records.frameNumber.length; index++) {
      const slot = unwrapFrameNumber(records.frameNumber[index] ?? 0, this.newestSlot);
      // Nonsense from another machine.
      if (slot < 0 || Math.abs(slot - this.newestSlot) > farthestJump) {
        this.anomalies += 1;
        continue;
      }
      this.newestSlot = slot;
      if (!this.flags.mark(slot, SourceMark.Scheduled)) this.anomalies += 1;
      if (records.state[index] === SlotState.LateSource) this.flags.mark(slot, SourceMark.LateSource);
      const cause = causeMarks.get(records.lateCause[index] ?? LateCause.None);
      if (cause !== undefined) this.flags.mark(slot, cause);
    }
  }

  /** A slot of a source whose own records are not known. */
  assume(frameNumber: number): void {
    this.addReported(frameNumber);
    this.reportsLatePictures = false;
  }

  /** Adds a slot that a remote sender reported as submitted or missed. */
  addReported(frameNumber: number): void {
    const slot = unwrapFrameNumber(frameNumber, this.newestSlot);
    if (slot - this.newestSlot > farthestJump) return;
    this.newestSlot = Math.max(this.newestSlot, slot);
    this.flags.mark(slot, SourceMark.Scheduled);
  }

  /** Adds the reason (`LateCause`) that the sender reported for a late picture. */
  addReportedLate(frameNumber: number, cause: number): void {
    const slot = unwrapFrameNumber(frameNumber, this.newestSlot);
    if (slot - this.newestSlot > farthestJump) return;
    this.flags.mark(slot, SourceMark.LateSource | (causeMarks.get(cause) ?? 0));
  }

  /** Adds what a sender says that a fault of its own did to a frame (`InjectedFault`). */
  addReportedFault(frameNumber: number, fault: number): void {
    const slot = unwrapFrameNumber(frameNumber, this.newestSlot);
    if (slot - this.newestSlot > farthestJump) return;
    this.flags.mark(slot, fault === InjectedFault.Skipped ? SourceMark.SaidSkipped : SourceMark.SaidSpoilt);
  }

  /** Marks of a slot (`SourceMark`). */
  marksOf(slot: number): number {
    return this.flags.get(slot);
  }
}
