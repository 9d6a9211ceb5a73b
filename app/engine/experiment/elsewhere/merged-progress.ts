import type { Progress } from '../../../protocol/console';

/** The progress of machines that measure side by side is that of the one which takes longest. */
export class MergedProgress {
  private readonly newest = new Map<string, Progress>();

  constructor(private readonly report: (progress: Progress) => void) {}

  of(machine: string): (progress: Progress) => void {
    return (progress) => {
      this.newest.set(machine, progress);
      this.tell();
    };
  }

  /** A machine is done. */
  end(machine: string): void {
    if (this.newest.delete(machine)) this.tell();
  }

  private tell(): void {
    const [slowest] = [...this.newest].sort(([, one], [, other]) => leftOf(other) - leftOf(one));
    if (!slowest) return;
    const [machine, progress] = slowest;
    this.report({ ...progress, machine });
  }
}

/** A step that takes no time yet counts by how many are left. */
function leftOf({ remainingSeconds, step, steps }: Progress): number {
  return remainingSeconds + (steps - step) / 1e3;
}
