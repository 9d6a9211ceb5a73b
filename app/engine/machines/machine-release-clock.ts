import type { ClockStep, ReleaseClock } from '../streams/clocks/release-clock';
import type { MachineClock } from './machine-clock';

/** A machine of the fleet, as far as its time is concerned; null: ours. */
export interface MachineTime {
  /** For people. */
  readonly name: string;
  readonly clock: MachineClock;
  /** From its monotonic clock to its release clock, µs. */
  readonly wallOffsetUs: number;
}

/** The release clock of a sender on another machine. Its receiver may be on a third machine; records of both are put on our clock. */
export class MachineReleaseClock implements ReleaseClock {
  readonly isShared: boolean;

  /** `ourWallOffsetUs`: from our monotonic clock to our release clock, µs */
  constructor(
    private readonly sender: MachineTime | null,
    private readonly receiver: MachineTime | null,
    private readonly ourWallOffsetUs: number,
  ) {
    this.isShared = sender?.clock === receiver?.clock;
  }

  get steps(): readonly ClockStep[] {
    const machines = this.isShared ? [this.sender] : [this.sender, this.receiver];
    return machines.flatMap((one) =>
      one ? one.clock.steps.map((step) => ({ ...step, machine: one.name })) : [],
    );
  }

  offsetUs(atNs: number): number | null {
    if (!this.sender) return this.ourWallOffsetUs;
    const { clock, wallOffsetUs } = this.sender;
    return clock.isKnown ? (clock.toTheirsNs(atNs) - atNs) / 1000 + wallOffsetUs : null;
  }

  differenceUs(atNs: number): number | null {
    const offsetUs = this.isShared ? null : this.offsetUs(atNs);
    return offsetUs === null ? null : offsetUs - this.ourWallOffsetUs;
  }

  uncertaintyUs(atNs: number): number | null {
    if (this.isShared) return null;
    const halves = [this.sender, this.receiver].map((one) => (one ? one.clock.uncertaintyNs(atNs) : 0));
    return halves.some((half) => half === null)
      ? null
      : halves.reduce<number>((sum, half) => sum + (half ?? 0), 0) / 1000;
  }
}
