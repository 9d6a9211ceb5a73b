/** A jump of the difference between the two clocks. */
export interface ClockStep {
  /** Our monotonic clock, when the first answer after the step was asked for. */
  atNs: number;
  /** How far the sender's clock went ahead against ours; less than 0: back. */
  byUs: number;
  /** The machine of the clock, if it has a name; then `byUs` is how far its clock went ahead. */
  machine?: string;
}

/**
 * The clock in which a sender's release times are written, as seen from the receiver's monotonic clock. On one machine
 * the two differ by the wall offset that all its processes share; between two machines the difference is estimated.
 */
export interface ReleaseClock {
  /** Sender and receiver read the same clock: the schedule is known exactly, and there is no difference. */
  readonly isShared: boolean;
  /** The newest jumps of the clocks against each other that were seen. */
  readonly steps: readonly ClockStep[];
  /** The sender's release clock minus our monotonic clock at a moment of ours, µs; null: not known then. */
  offsetUs(atNs: number): number | null;
  /** The sender's release clock minus our release clock, µs; null: not known then, or one clock for both. */
  differenceUs(atNs: number): number | null;
  /** How far `offsetUs` may be off, ± µs; null: not known, or one clock for both, which is exact. */
  uncertaintyUs(atNs: number): number | null;
}

/** Sender and receiver on one machine. */
export class SharedClock implements ReleaseClock {
  readonly isShared = true;
  readonly steps: readonly ClockStep[] = [];

  constructor(private readonly wallOffsetUs: number) {}

  offsetUs(): number {
    return this.wallOffsetUs;
  }

  differenceUs(): null {
    return null;
  }

  uncertaintyUs(): null {
    return null;
  }
}
