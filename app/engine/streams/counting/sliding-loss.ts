/** The most lost frames within any window of one length: in slots, or in ns. */
export class SlidingLoss {
  worst = 0;
  /** Places of the first and last lost frame of the worst window, the earliest of equal ones. */
  worstFirst = 0;
  worstLast = 0;
  /** Places of the lost frames of the newest window, oldest first. */
  private window: number[] = [];

  constructor(private readonly length: number) {}

  copy(): SlidingLoss {
    const copy = new SlidingLoss(this.length);
    copy.worst = this.worst;
    copy.worstFirst = this.worstFirst;
    copy.worstLast = this.worstLast;
    copy.window = [...this.window];
    return copy;
  }

  /** Null: none was lost. */
  get worstPlaces(): { first: number; last: number } | null {
    return this.worst > 0 ? { first: this.worstFirst, last: this.worstLast } : null;
  }

  /** Places come in order. */
  add(place: number): void {
    this.window.push(place);
    while (place - (this.window[0] ?? place) >= this.length) this.window.shift();
    if (this.window.length <= this.worst) return;
    this.worst = this.window.length;
    this.worstFirst = this.window[0] ?? place;
    this.worstLast = place;
  }
}
