/** Why it is not known which frames were presented. */
export type NoFeedback = 'probing' | 'no-interface' | 'no-callbacks' | 'too-slow';

/** Of the time from one picture to the next: more would cost the frames whose way is to be measured. */
export const mostCostShare = 0.5;
const enoughWritten = 10;
const enoughCallbacks = 5;
export const silenceMs = 2000;

/** Tries whether the browser's feedback on video frames can be had here, and keeps an eye on it afterwards. */
export class FeedbackTrial {
  private readonly costShares: number[] = [];
  private callbacks = 0;

  /** A picture was handed to the video element, which took so long; the next one comes after this interval. */
  noteWritten(costMs: number, intervalMs: number): void {
    if (this.costShares.length < enoughWritten) this.costShares.push(costMs / intervalMs);
  }

  noteCallback(): void {
    this.callbacks += 1;
  }

  /** `unheardMs`: for how long nothing was heard of pictures that were written. Null: the feedback is there. */
  lack(unheardMs: number): NoFeedback | null {
    if (unheardMs >= silenceMs) return 'no-callbacks';
    if (this.costShares.length < enoughWritten) return 'probing';
    if (this.medianCostShare() > mostCostShare) return 'too-slow';
    return this.callbacks < enoughCallbacks ? 'probing' : null;
  }

  private medianCostShare(): number {
    const sorted = [...this.costShares].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 0;
  }
}
