/** How many intervals an estimate is drawn from, and how many it takes to begin. */
const windowLength = 120;
const settledLength = 20;
/** A longer pause is a suspended window or machine, not missed refreshes. */
const pauseMs = 1000;

function refreshesIn(ms: number, hz: number): number {
  return Math.max(1, Math.round((ms * hz) / 1000));
}

/** Counts a display's refreshes, and those that brought no new picture, from presentation timestamps alone. */
export class RefreshCounter {
  /** Refreshes since the start: the number of the frame to draw. */
  frameNumber = 0;
  /** Refreshes for which the compositor gave no tick. */
  missed = 0;
  /**
   * The display's rate as all of its windows take it; null while none is known. Then the interval that most ticks keep
   * is taken, which a window that is always slow bends.
   */
  displayHz: number | null = null;
  private lastMs: number | null = null;
  private readonly intervalsMs: number[] = [];

  /** The display's refresh rate as far as this window sees it: refreshes by their time, null while it settles. */
  get refreshHz(): number | null {
    const { displayHz, intervalsMs } = this;
    if (displayHz === null) return this.tickHz;
    if (intervalsMs.length < settledLength) return null;
    // By the rate of now: intervals from before it was known were counted by a window's own.
    const refreshes = intervalsMs.reduce((total, ms) => total + refreshesIn(ms, displayHz), 0);
    return (1000 * refreshes) / intervalsMs.reduce((total, ms) => total + ms, 0);
  }

  /** How often this window ticks, by the interval that most ticks keep; null while it settles. */
  get tickHz(): number | null {
    if (this.intervalsMs.length < settledLength) return null;
    // The median stands firm against single misses, which would bend a mean.
    const sorted = [...this.intervalsMs].sort((a, b) => a - b);
    return 1000 / (sorted[sorted.length >> 1] ?? 1);
  }

  tick(timestampMs: number): void {
    const ms = this.lastMs === null ? 0 : timestampMs - this.lastMs;
    this.lastMs = timestampMs;
    if (ms <= 0) return;
    if (ms > pauseMs) {
      this.frameNumber += 1;
      return;
    }
    const hz = this.displayHz ?? this.tickHz;
    const refreshes = hz === null ? 1 : refreshesIn(ms, hz);
    this.intervalsMs.push(ms);
    if (this.intervalsMs.length > windowLength) this.intervalsMs.shift();
    this.frameNumber += refreshes;
    this.missed += refreshes - 1;
  }
}
