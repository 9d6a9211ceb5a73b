import { type Schedule, slotNs } from '../counting/schedule';

/** The quickest picture of so long shows where the schedule is; two crystals part by a millisecond at most meanwhile. */
const blockNs = 10e9;

/**
 * Keeps the schedule of a sender on another machine where its pictures are: its clock, and so its rate, is a little off
 * ours, which makes seconds in a day. Pure.
 */
export class ScheduleEstimate {
  private sinceNs = Number.NaN;
  private leastLateNs = Number.POSITIVE_INFINITY;

  /** `schedule`: is moved. */
  constructor(private readonly schedule: Schedule) {}

  add(slot: number, captureNs: number): void {
    this.leastLateNs = Math.min(this.leastLateNs, captureNs - slotNs(this.schedule, slot));
    if (Number.isNaN(this.sinceNs)) this.sinceNs = captureNs;
    if (captureNs - this.sinceNs < blockNs) return;
    this.schedule.startNs += this.leastLateNs;
    this.sinceNs = captureNs;
    this.leastLateNs = Number.POSITIVE_INFINITY;
  }
}
