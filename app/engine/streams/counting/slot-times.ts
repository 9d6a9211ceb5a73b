import { firstSlotFrom, type Schedule, slotNs, slotPeriodNs } from './schedule';

/** When the slots of a stream are, on our monotonic clock. */
export interface SlotTimes {
  readonly periodNs: number;
  nsOf(slot: number): number;
  /** The first slot at this moment or later. */
  slotFrom(atNs: number): number;
}

/** By the schedule that the sender reports. It is moved where it is only estimated. */
export class ScheduledTimes implements SlotTimes {
  constructor(private readonly schedule: Schedule) {}

  get periodNs(): number {
    return slotPeriodNs(this.schedule.rate);
  }

  nsOf(slot: number): number {
    return slotNs(this.schedule, slot);
  }

  slotFrom(atNs: number): number {
    return firstSlotFrom(this.schedule, atNs);
  }
}
