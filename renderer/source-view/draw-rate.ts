const windowMs = 1000;

/** Pictures drawn per second, over the newest second. */
export class DrawRate {
  private readonly drawnMs: number[] = [];

  /** Notes a picture; null until a second is over. */
  note(nowMs: number): number | null {
    this.drawnMs.push(nowMs);
    let first = this.drawnMs[0] ?? nowMs;
    while (this.drawnMs.length > 2 && nowMs - (this.drawnMs[1] ?? nowMs) >= windowMs) {
      this.drawnMs.shift();
      first = this.drawnMs[0] ?? nowMs;
    }
    const elapsedMs = nowMs - first;
    return elapsedMs < windowMs ? null : ((this.drawnMs.length - 1) * 1000) / elapsedMs;
  }
}
