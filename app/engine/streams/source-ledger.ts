import { SlotState, type SourceRecords } from '../../protocol/records';
import { farthestJump, type Schedule, unwrapFrameNumber } from './schedule';
import { Mark, SlotFlags } from './slot-flags';

/** What the source's own thread wrote down: which slots there were, and which pictures came too late. */
export class SourceLedger {
  private readonly flags: SlotFlags;
  private newestSlot: number;
  /** Records that broke the rule of one record for each slot. */
  anomalies = 0;
  overflowed = 0;

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
      this.newestSlot = slot;
      if (!this.flags.mark(slot, Mark.Scheduled)) this.anomalies += 1;
      if (records.state[index] === SlotState.LateSource) this.flags.mark(slot, Mark.LateSource);
    }
  }

  /** A slot of a source whose own records are not known. */
  assume(frameNumber: number): void {
    const slot = unwrapFrameNumber(frameNumber, this.newestSlot);
    if (slot - this.newestSlot > farthestJump) return;
    this.newestSlot = Math.max(this.newestSlot, slot);
    this.flags.mark(slot, Mark.Scheduled);
  }

  /** Marks of a slot (`Mark.Scheduled`, `Mark.LateSource`). */
  marksOf(slot: number): number {
    return this.flags.get(slot);
  }
}
