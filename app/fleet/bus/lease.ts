import { leaseSeconds } from '../../protocol/thresholds';

/** Who commands an agent: one at a time, by a number that each of its commands carries. */

export interface LeaseEnd {
  holder: string;
  fence: number;
  /** `replaced`: the same holder has taken the lease anew, as a console that was started again. */
  why: 'expired' | 'released' | 'replaced';
}

/** What remains of it when its holder says nothing more, ns of the agent's clock. */
export const leaseNs = leaseSeconds * 1e9;
/** How often a holder renews its lease, ms. */
export const renewEveryMs = 1000;

interface Held {
  holder: string;
  fence: number;
  endsNs: number;
}

/**
 * Pure: the caller gives the time of the agent's own clock. Each method first ends a lease that has expired by then. A number is never given
 * twice, so that the one of a lease that ended is refused from then on.
 */
export class Lease {
  private held: Held | null = null;
  private nextFence: number;

  /**
   * @param firstFence made at random when the agent starts, so that a number that an earlier start gave is not current by chance
   * @param onEnd called once for each lease that ends
   */
  constructor(
    firstFence: number,
    private readonly onEnd: (end: LeaseEnd) => void,
  ) {
    this.nextFence = firstFence;
  }

  /** Who holds it, null if it is free, or was not renewed in time. */
  holder(nowNs: number): string | null {
    this.expire(nowNs);
    return this.held?.holder ?? null;
  }

  /** When it ends unless it is renewed, ns; infinite if none is held. */
  get endsNs(): number {
    return this.held?.endsNs ?? Number.POSITIVE_INFINITY;
  }

  /**
   * @param holder names one console, and no other one
   * @returns the number to command by, or who holds the lease and for how long still, ns
   */
  acquire(holder: string, nowNs: number): { fence: number } | { heldBy: string; forNs: number } {
    this.expire(nowNs);
    const { held } = this;
    if (held && held.holder !== holder) return { heldBy: held.holder, forNs: held.endsNs - nowNs };
    this.end('replaced');
    const fence = this.nextFence++;
    this.held = { holder, fence, endsNs: nowNs + leaseNs };
    return { fence };
  }

  /** False: this lease is over. */
  renew(fence: number, nowNs: number): boolean {
    if (!this.isCurrent(fence, nowNs) || !this.held) return false;
    this.held.endsNs = nowNs + leaseNs;
    return true;
  }

  /** False: this lease was over already. */
  release(fence: number, nowNs: number): boolean {
    if (!this.isCurrent(fence, nowNs)) return false;
    this.end('released');
    return true;
  }

  /** Whether a command with this number may be carried out. */
  isCurrent(fence: number, nowNs: number): boolean {
    this.expire(nowNs);
    return this.held?.fence === fence;
  }

  /** Time passes: a lease that was not renewed ends. */
  expire(nowNs: number): void {
    if (this.held && nowNs >= this.held.endsNs) this.end('expired');
  }

  private end(why: LeaseEnd['why']): void {
    if (!this.held) return;
    const { holder, fence } = this.held;
    this.held = null;
    this.onEnd({ holder, fence, why });
  }
}
