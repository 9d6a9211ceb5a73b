/** How many intervals the estimate of the display's refresh is drawn from, and how many it takes to begin. */
const windowLength = 120;
const settledLength = 20;
/** A longer pause is a suspended window or machine, not missed refreshes. */
const pauseMs = 1000;

/** Counts a display's refreshes, and those that brought no new picture, from presentation timestamps alone. */
export class RefreshCounter {
  /** Refreshes since the start: the number of the frame to draw. */
  frameNumber = 0;
  /** Refreshes for which the compositor gave no tick. */
  missed = 0;
  /** As the system tells it. Without it the interval that most ticks keep is taken, which a window that is always slow bends. */
  declaredHz: number | null = null;
  private lastMs: number | null = null;
  private readonly intervalsMs: number[] = [];

  /** The display's refresh rate as estimated so far; null while it settles. */
  get refreshHz(): number | null {
    if (this.intervalsMs.length < settledLength) return null;
    return 1000 / this.medianIntervalMs();
  }

  tick(timestampMs: number): void {
    const intervalMs = this.lastMs === null ? 0 : timestampMs - this.lastMs;
    this.lastMs = timestampMs;
    if (intervalMs <= 0) return;
    if (intervalMs > pauseMs) {
      this.frameNumber += 1;
      return;
    }
    this.intervalsMs.push(intervalMs);
    if (this.intervalsMs.length > windowLength) this.intervalsMs.shift();
    const periodMs = this.periodMs();
    const refreshes = periodMs === null ? 1 : Math.max(1, Math.round(intervalMs / periodMs));
    this.frameNumber += refreshes;
    this.missed += refreshes - 1;
  }

  private periodMs(): number | null {
    if (this.declaredHz !== null) return 1000 / this.declaredHz;
    return this.intervalsMs.length < settledLength ? null : this.medianIntervalMs();
  }

  /** The median stands firm against single misses, which would bend a mean. */
  private medianIntervalMs(): number {
    const sorted = [...this.intervalsMs].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 0;
  }
}
