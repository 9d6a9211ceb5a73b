/** The most lost frames within any window of so many slots. */
export class SlidingLoss {
  worst = 0;
  /** First and last lost slot of the worst window, the earliest of equal ones. */
  worstFirst = 0;
  worstLast = 0;
  /** Lost slots of the newest window, oldest first. */
  private window: number[] = [];

  constructor(private readonly windowSlots: number) {}

  copy(): SlidingLoss {
    const copy = new SlidingLoss(this.windowSlots);
    copy.worst = this.worst;
    copy.worstFirst = this.worstFirst;
    copy.worstLast = this.worstLast;
    copy.window = [...this.window];
    return copy;
  }

  /** Slots come in order. */
  add(slot: number): void {
    this.window.push(slot);
    while (slot - (this.window[0] ?? slot) >= this.windowSlots) this.window.shift();
    if (this.window.length <= this.worst) return;
    this.worst = this.window.length;
    this.worstFirst = this.window[0] ?? slot;
    this.worstLast = slot;
  }
}
