/** Looks come every quarter of a second. */
const pauseNs = 0.75e9;

/**
 * Tells the first look after a time in which this process itself did not run: what its hosts reported meanwhile is not read yet, so
 * that each stream would seem to stall.
 */
export class OwnPauses {
  private lookedNs = Number.POSITIVE_INFINITY;
  private wasJustOver = false;

  /** To be asked at each look. Never twice in a row: one that is always late still shows what it has. */
  isJustOver(nowNs: number): boolean {
    const isLate = nowNs - this.lookedNs > pauseNs;
    this.lookedNs = nowNs;
    this.wasJustOver = isLate && !this.wasJustOver;
    return this.wasJustOver;
  }
}
