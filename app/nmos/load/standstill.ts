import type { Clock } from '../../protocol/clock';
import { monotonicMs } from '../monotonic-ms';

/** How long a process stalled. */
export interface Standstill {
  /** The longest piece. */
  standstillMs: number;
  /** Share of the time, but of 2.5 s at least, in pieces above `shortestStandstillMs`. */
  standstillPercent: number;
}

/** A busy process has shorter ones. */
export const shortestStandstillMs = 100;
/** Long enough that one short stall is a small share of it. */
const shortestWholeMs = 2500;
const tickMs = 10;
const none: Standstill = { standstillMs: 0, standstillPercent: 0 };

/** Adds up the gaps between ticks that should follow each other every 10 ms. */
export class StandstillWatch {
  private beganMs: number;
  private lastMs: number;
  private longestMs = 0;
  private sumMs = 0;
  private worstBefore: Standstill = none;
  private stopTicks = (): void => {};

  constructor(private readonly clock: Clock) {
    this.beganMs = this.nowMs();
    this.lastMs = this.beganMs;
  }

  /** Counts again, from now on. */
  begin(): void {
    this.worstBefore = none;
    this.beginPiece();
  }

  /** Another piece of the same part begins: a long quiet one after it hides nothing of this one. */
  split(): void {
    this.worstBefore = this.read();
    this.beginPiece();
  }

  private nowMs(): number {
    return monotonicMs(this.clock);
  }

  private beginPiece(): void {
    this.beganMs = this.nowMs();
    this.lastMs = this.beganMs;
    this.longestMs = 0;
    this.sumMs = 0;
  }

  /** Ticks from now on, until it is stopped. */
  start(): this {
    this.stopTicks = this.clock.every(tickMs, () => this.tick());
    return this;
  }

  stop(): void {
    this.stopTicks();
  }

  tick(): void {
    const nowMs = this.nowMs();
    const gapMs = nowMs - this.lastMs - tickMs;
    this.lastMs = nowMs;
    this.longestMs = Math.max(this.longestMs, gapMs);
    if (gapMs > shortestStandstillMs) this.sumMs += gapMs;
  }

  /** The worst piece. Includes a stall that lasts until now. */
  read(): Standstill {
    this.tick();
    const wholeMs = Math.max(shortestWholeMs, this.lastMs - this.beganMs);
    const { standstillMs, standstillPercent } = this.worstBefore;
    return {
      standstillMs: Math.max(standstillMs, this.longestMs),
      standstillPercent: Math.max(standstillPercent, (100 * this.sumMs) / wholeMs),
    };
  }
}
