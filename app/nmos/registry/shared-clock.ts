import type { Clock } from '../../protocol/clock';
import { taiNs } from '../tai';

/**
 * Of a peer's clock and this machine's: an hour for each that was wrong since they met. What is further ahead is an error of either clock, or
 * an attack.
 */
export const mostAheadSeconds = 7200;

/**
 * The time by which registries that share their resources date what happens, ns. It goes on at the pace of the monotonic clock, and a
 * registry whose clock is behind goes forward to that of its peer: what a client does later has a later date at either, also while
 * the two do not reach each other, whatever their wall clocks say.
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

  /** A date of its own, later than all before it. */
  next(): bigint {
    const now = this.now();
    this.last = now > this.last ? now : this.last + 1n;
    return this.last;
  }

  /** How far it, or this date of another one, is ahead of this machine's TAI. */
  aheadNs(date = this.now()): bigint {
    return date - taiNs(this.clock);
  }

  /** Whether no clock that may be shared with this machine can have made this date: by what its wall clock says, or said at the start. */
  isImpossible(date: bigint): boolean {
    const [tai, byFirst] = [taiNs(this.clock), this.monotonicNs() + this.firstOffsetNs];
    return date - (tai > byFirst ? tai : byFirst) > BigInt(mostAheadSeconds + 1) * 1_000_000_000n;
  }

  /** Goes on where a registry ended that was so far ahead, and later than the latest date that it wrote. */
  resume(aheadNs: bigint, latest: bigint): void {
    const byMachine = taiNs(this.clock) + aheadNs;
    this.offsetNs = (byMachine > latest ? byMachine : latest + 1n) - this.monotonicNs();
  }

  /** A peer's clock reads this. Returns by how much this one went forward. */
  reach(peerNow: bigint): bigint {
    const byNs = peerNow - this.now();
    if (byNs > 0n) {
      this.offsetNs += byNs;
      this.last += byNs;
    }
    // The next date here is later than all that the peer has told.
    if (peerNow > this.last) this.last = peerNow;
    return byNs > 0n ? byNs : 0n;
  }

  private monotonicNs(): bigint {
    return BigInt(Math.round(this.clock.monotonicNs()));
  }
}
