import type { Clock } from '../protocol/clock';

/** How many messages a second are accepted, and how many at once after a break of the bus. */
export interface MessageLimits {
  perSecond: number;
  atOnce: number;
}

/** Whether another machine sends no more than what it is for needs. */
export class MessageRate {
  private room: number;
  private heardNs: number;

  constructor(
    private readonly limits: MessageLimits,
    private readonly clock: Pick<Clock, 'monotonicNs'>,
  ) {
    this.room = limits.atOnce;
    this.heardNs = clock.monotonicNs();
  }

  /** One more came. */
  isTooFast(): boolean {
    const { perSecond, atOnce } = this.limits;
    const nowNs = this.clock.monotonicNs();
    this.room = Math.min(atOnce, this.room + ((nowNs - this.heardNs) / 1e9) * perSecond) - 1;
    this.heardNs = nowNs;
    return this.room < 0;
  }
}
