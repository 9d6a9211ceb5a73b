import type { Clock } from '../../protocol/clock';
import { taiNs } from '../tai';

/**
 * Largest difference between a peer's clock and this machine's: one hour for each of the two. More is an error of a clock, or an attack.
 */
export const mostAheadSeconds = 7200;

/**
 * Dates changes at registries that share resources, in ns. It runs at the pace of the monotonic clock, and a registry whose clock is behind
 * sets it forward to its peer's. So a later change has a later date at either registry, even while they cannot reach each other and
 * whatever their wall clocks say.
 */
export class SharedClock {
  /** Shared minus monotonic time. */
  private offsetNs: bigint;
  private last = 0n;
  /** TAI of this machine at the start, minus monotonic time. */
  private readonly firstOffsetNs: bigint;

  constructor(private readonly clock: Pick<Clock, 'monotonicNs' | 'wallMs'>) {
    this.offsetNs = taiNs(clock) - this.monotonicNs();
    this.firstOffsetNs = this.offsetNs;
  }

  now(): bigint {
    return this.monotonicNs() + this.offsetNs;
  }

  /** A new date, later than all before it. */
  next(): bigint {
    const now = this.now();
    this.last = now > this.last ? now : this.last + 1n;
    return this.last;
  }

  /** How far this date is ahead of this machine's TAI; default: now. */
  aheadNs(date = this.now()): bigint {
    return date - taiNs(this.clock);
  }

  /** Whether a date is too far ahead of this machine's wall clock, both as it is and as it was at the start. */
  isImpossible(date: bigint): boolean {
    const [tai, byFirst] = [taiNs(this.clock), this.monotonicNs() + this.firstOffsetNs];
    return date - (tai > byFirst ? tai : byFirst) > BigInt(mostAheadSeconds + 1) * 1_000_000_000n;
  }

  /** Goes on where a registry ended that was so far ahead, and later than the latest date that it wrote. */
  resume(aheadNs: bigint, latest: bigint): void {
    const byMachine = taiNs(this.clock) + aheadNs;
    this.offsetNs = (byMachine > latest ? byMachine : latest + 1n) - this.monotonicNs();
  }

  /** Sets the clock forward to a peer's. Returns by how much. */
  reach(peerNow: bigint): bigint {
    const byNs = peerNow - this.now();
    if (byNs > 0n) {
      this.offsetNs += byNs;
      this.last += byNs;
    }
    // The next date must be later than every date from the peer.
    if (peerNow > this.last) this.last = peerNow;
    return byNs > 0n ? byNs : 0n;
  }

  private monotonicNs(): bigint {
    return BigInt(Math.round(this.clock.monotonicNs()));
  }
}
