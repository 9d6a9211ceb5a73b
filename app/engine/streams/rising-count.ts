const firstPauseNs = 1e9;
/** What rises for as long as a run is would fill it with events. */
const longestPauseNs = 60e9;

/** Of a count that rises, what is to be reported: at once, a second later at the earliest, then ever more seldom. */
export class RisingCount {
  private reported = 0;
  /** Nothing is reported before. */
  private untilNs = Number.NEGATIVE_INFINITY;
  private pauseNs = firstPauseNs / 2;

  /** By how much it rose since the last report; 0: nothing is to be reported now. A lower count has begun anew. */
  take(count: number, nowNs: number): number {
    return nowNs >= this.untilNs ? this.takeRest(count, nowNs) : 0;
  }

  /** The same of a count that ends: whenever the last report was. */
  takeRest(count: number, nowNs = 0): number {
    const rise = count < this.reported ? count : count - this.reported;
    if (rise === 0) return 0;
    this.reported = count;
    this.pauseNs = Math.min(2 * this.pauseNs, longestPauseNs);
    this.untilNs = nowNs + this.pauseNs;
    return rise;
  }
}
