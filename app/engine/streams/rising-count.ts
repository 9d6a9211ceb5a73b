const firstPauseNs = 1e9;
/** What rises for as long as a run is would fill it with events. */
const longestPauseNs = 60e9;

/** Decides when to report a rising count: at once, then after a second at the earliest, then less and less often. */
export class RisingCount {
  private reported = 0;
  /** Nothing is reported before. */
  private untilNs = Number.NEGATIVE_INFINITY;
  private pauseNs = firstPauseNs / 2;

  /** By how much the count rose since the last report; 0: nothing to report now. A lower count is a new beginning. */
  take(count: number, nowNs: number): number {
    return nowNs >= this.untilNs ? this.takeRest(count, nowNs) : 0;
  }

  /** The same for a count that ends, however recent the last report is. */
  takeRest(count: number, nowNs = 0): number {
    const rise = count < this.reported ? count : count - this.reported;
    if (rise === 0) return 0;
    this.reported = count;
    this.pauseNs = Math.min(2 * this.pauseNs, longestPauseNs);
    this.untilNs = nowNs + this.pauseNs;
    return rise;
  }
}
