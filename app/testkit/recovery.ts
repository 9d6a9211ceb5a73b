/** Whether a stream is back, by looks at it. Pure: it reads no clock. */
export class Recovery {
  private sinceNs: number | null = null;

  /** @param untilNs pictures that are not back by then are too late */
  constructor(private readonly untilNs: number) {}

  /**
   * A stream is said to receive for a while after its last picture, and one picture may have been on its way. So pictures have to go on for
   * longer than that.
   * @param newestNs when its newest frame came, null: none did
   * @param holdNs so long
   * @returns null: not known yet
   */
  look(nowNs: number, isReceiving: boolean, newestNs: number | null, holdNs: number): boolean | null {
    if (!isReceiving) {
      this.sinceNs = null;
      return nowNs >= this.untilNs ? false : null;
    }
    this.sinceNs ??= nowNs;
    return newestNs !== null && newestNs - this.sinceNs >= holdNs ? true : null;
  }
}
