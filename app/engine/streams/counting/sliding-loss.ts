/** The most lost frames within any window of so many slots. */
export class SlidingLoss {
  worst = 0;
  /** Lost slots of the newest window, oldest first. */
  private window: number[] = [];

  constructor(private readonly windowSlots: number) {}

  copy(): SlidingLoss {
    const copy = new SlidingLoss(this.windowSlots);
    copy.worst = this.worst;
    copy.window = [...this.window];
    return copy;
  }

  /** Slots come in order. */
  add(slot: number): void {
    this.window.push(slot);
    while (slot - (this.window[0] ?? slot) >= this.windowSlots) this.window.shift();
    this.worst = Math.max(this.worst, this.window.length);
  }
}
