import { farthestJump } from './schedule';
import type { SlotTimes } from './slot-times';

/**
 * A device on the path may declare another rate than the sender counts by, but not by more than this factor. A lower one proves nothing.
 */
const fastest = 10;
const slowestNs = 1e9 / 30;
/** The rate is no clock: pictures that waited come faster. */
const slackNs = 60e9;

/**
 * The highest frame number that a sender can have reached by a given time. The ledger rejects higher numbers: it neither
 * allocates memory nor scans slots for them.
 */
export class NumberReach {
  private highest: number | null = null;
  private atNs = 0;
  /** Slots that the highest may be ahead of its time. */
  private room: number;

  /** `schedule`: of the slots, where it is known: it bounds the first number too. */
  constructor(
    private readonly times: Pick<SlotTimes, 'periodNs'>,
    private readonly schedule: Pick<SlotTimes, 'slotFrom'> | null = null,
  ) {
    this.room = slackNs / this.periodNs;
  }

  allows(slot: number, atNs: number): boolean {
    if (this.highest === null) return !this.schedule || slot <= this.schedule.slotFrom(atNs + slackNs);
    return slot - this.highest <= Math.min(farthestJump, this.roomAt(atNs));
  }

  /** The same, and what follows is held against this slot. */
  take(slot: number, atNs: number): boolean {
    if (!this.allows(slot, atNs)) return false;
    const ahead = slot - (this.highest ?? slot);
    if (this.highest !== null && ahead <= 0) return true;
    this.room = Math.min(slackNs / this.periodNs, this.roomAt(atNs) - ahead);
    this.highest = slot;
    this.atNs = atNs;
    return true;
  }

  private roomAt(atNs: number): number {
    const elapsedNs = this.highest === null ? 0 : Math.max(0, atNs - this.atNs);
    return this.room + (elapsedNs * fastest) / this.periodNs;
  }

  private get periodNs(): number {
    return Math.min(this.times.periodNs, slowestNs);
  }
}
