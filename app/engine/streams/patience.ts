import type { Clock } from '../../protocol/clock';

/** It comes later only where this process itself did not run. */
const lateNs = 1e9;

/** Gives up after so long without a sign. What came while this process itself stood still is not read yet: it then waits once more. */
export class Patience {
  private dueNs = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicNs'>,
    private readonly ms: number,
    giveUp: () => void,
  ) {
    this.timer = setTimeout(() => {
      if (clock.monotonicNs() - this.dueNs > lateNs) this.refresh();
      else giveUp();
    }, ms);
    this.noteDue();
  }

  refresh(): void {
    this.noteDue();
    this.timer.refresh();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private noteDue(): void {
    this.dueNs = this.clock.monotonicNs() + this.ms * 1e6;
  }
}
