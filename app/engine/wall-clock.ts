import { reasonOf, wordsOf } from '../facts/reason-words';
import type { Clock } from '../protocol/clock';
import { isoOf, wallMsOf } from './clock';

/** A change of the wall clock against the monotonic one. */
export interface WallStep {
  byMs: number;
  /** The machine slept for that long, during which the monotonic clock stands still; otherwise the wall clock was set. */
  slept: boolean;
  /** Wall clock minus monotonic clock from now on. */
  offsetUs: number;
}

/** As a run's record has it. */
export function wallStepEvent({
  byMs,
  slept,
  offsetUs,
}: WallStep): [text: string, details: { byMs: number; offsetUs: number }] {
  const fact = slept
    ? reasonOf('suspended', { seconds: byMs / 1000 })
    : reasonOf('wall-clock-step', { byMs });
  return [wordsOf([fact]), { byMs, offsetUs }];
}

/** A wall clock in milliseconds is up to one behind; a change below this is no step. */
const leastStepMs = 2;
/** The time since the start of the machine comes in whole seconds. */
const uptimeExactMs = 1000;

/**
 * Wall time of this machine, as it is recorded and shown. A run keeps the offset that it began with, so that its rows, samples
 * and events stay in order whatever is done to the wall clock; between runs the offset follows the clock.
 */
export class WallClock {
  private usedUs: number;
  private measuredUs: number;
  private sleptMs: number;
  private runs = 0;

  constructor(readonly clock: Clock) {
    this.usedUs = clock.wallOffsetUs();
    this.measuredUs = this.usedUs;
    this.sleptMs = this.sleptSoFarMs();
  }

  /** Wall clock minus monotonic clock, µs, by which times are given now. */
  get offsetUs(): number {
    return this.usedUs;
  }

  isoNow(): string {
    return isoOf(this.clock.monotonicNs(), this.usedUs);
  }

  /** For a run that begins. */
  hold(): void {
    this.look();
    this.runs += 1;
  }

  /** The run is over. */
  release(): void {
    this.runs -= 1;
    if (this.runs === 0) this.usedUs = this.measuredUs;
  }

  /** Finds out whether the wall clock was set, or the machine slept, since the look before. Waits only where it was. */
  look(): WallStep | null {
    const nowMs = wallMsOf(this.clock.monotonicNs(), this.measuredUs);
    if (Math.abs(this.clock.wallMs() - nowMs) < leastStepMs) return null;
    const offsetUs = this.clock.wallOffsetUs();
    const byMs = (offsetUs - this.measuredUs) / 1000;
    if (Math.abs(byMs) < leastStepMs) return null;
    const sleptMs = this.sleptSoFarMs() - this.sleptMs;
    this.measuredUs = offsetUs;
    this.sleptMs += sleptMs;
    if (this.runs === 0) this.usedUs = offsetUs;
    return { byMs, slept: byMs > uptimeExactMs && Math.abs(byMs - sleptMs) <= uptimeExactMs, offsetUs };
  }

  private sleptSoFarMs(): number {
    return this.clock.uptimeSeconds() * 1000 - this.clock.monotonicNs() / 1e6;
  }
}
