import type { Clock } from '../protocol/clock';
import { machineClock } from '../protocol/machine-clock';

/** The machine's time, in which timers come when a test says so: what real processes and interfaces did until then is looked at then. */
export class HandClock implements Clock {
  readonly monotonicNs = machineClock.monotonicNs;
  readonly uptimeSeconds = machineClock.uptimeSeconds;
  readonly wallOffsetUs = machineClock.wallOffsetUs;
  readonly wallMs = machineClock.wallMs;
  readonly sleep = machineClock.sleep;
  private readonly due = new Set<() => void>();

  after(_ms: number, act: () => void): () => void {
    this.due.add(act);
    return () => void this.due.delete(act);
  }

  /** What comes again and again does not come here. */
  every(): () => void {
    return () => undefined;
  }

  /** All that is set comes now, once. */
  strike(): void {
    const due = [...this.due];
    this.due.clear();
    for (const act of due) act();
  }
}
