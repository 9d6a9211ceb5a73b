import type { MissRecords, SubmitRecords } from '../../../protocol/records';
import type { CaptureCounter } from './capture-counter';
import { farthestJump, unwrapFrameNumber } from './schedule';
import { causeMark, Mark, type SlotFlags } from './slot-flags';
import { type LongCall, SubmitTimes } from './submit-times';

/** What a sender's own records say became of its slots. */
export class SenderRecords {
  newestSubmitted: number;
  newestMissed: number;
  /** Records that broke the rule of one for each slot. */
  anomalies = 0;
  overflowed = { submits: 0, misses: 0 };
  private readonly submitTimes: SubmitTimes;

  constructor(
    private readonly flags: SlotFlags,
    periodNs: number,
  ) {
    this.submitTimes = new SubmitTimes(periodNs);
    this.newestSubmitted = flags.first;
    this.newestMissed = flags.first;
  }

  addSubmits(records: SubmitRecords, counters: Iterable<CaptureCounter>): void {
    this.overflowed.submits = records.overflowed;
    for (let index = 0; index < records.frameNumber.length; index++) {
      const slot = unwrapFrameNumber(records.frameNumber[index] ?? 0, this.newestSubmitted);
      const sound = slot - this.newestSubmitted < farthestJump;
      if (sound) this.newestSubmitted = slot;
      if (!sound || !this.flags.mark(slot, Mark.Submitted)) this.anomalies += 1;
      const { beginNs, previousCallNs } = records;
      const intervalNs = this.submitTimes.add(
        beginNs[index] ?? Number.NaN,
        previousCallNs[index] ?? Number.NaN,
      );
      for (const counter of counters)
        if (counter.contains(slot)) counter.submitInterval.add(intervalNs / 1000);
    }
  }

  addMisses(records: MissRecords): void {
    this.overflowed.misses = records.overflowed;
    for (let index = 0; index < records.frameNumber.length; index++) {
      const slot = unwrapFrameNumber(records.frameNumber[index] ?? 0, this.newestMissed);
      const sound = slot - this.newestMissed < farthestJump;
      if (sound) this.newestMissed = slot;
      if (!sound || !this.flags.mark(slot, Mark.Missed)) this.anomalies += 1;
      if (sound) this.flags.mark(slot, causeMark(records.cause[index] ?? 0));
    }
  }

  /** The newest slot with any report. */
  get newest(): number {
    return Math.max(this.newestSubmitted, this.newestMissed);
  }

  knows(frameNumber: number): boolean {
    const slot = unwrapFrameNumber(frameNumber, this.newest);
    return (this.flags.get(slot) & (Mark.Submitted | Mark.Missed)) !== 0;
  }

  /** Calls of the transport that took longer than a frame, oldest first. */
  get longCalls(): readonly LongCall[] {
    return this.submitTimes.longCalls;
  }
}
