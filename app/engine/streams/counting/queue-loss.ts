/** Frames that a receiver's queue lost, and the slots from the first gap with one of them to the end of the last. */
export class QueueLoss {
  frames = 0;
  private first = Number.POSITIVE_INFINITY;
  private last = Number.NEGATIVE_INFINITY;

  /** Null: no frame. */
  get slots(): { first: number; last: number } | null {
    return this.frames > 0 ? { first: this.first, last: this.last } : null;
  }

  add(frames: number, first: number, last: number): void {
    if (frames === 0) return;
    this.frames += frames;
    this.first = Math.min(this.first, first);
    this.last = Math.max(this.last, last);
  }

  addAll({ frames, first, last }: QueueLoss): void {
    this.add(frames, first, last);
  }
}
