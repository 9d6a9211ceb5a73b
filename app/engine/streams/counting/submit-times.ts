/** A visit to the transport that took longer than a frame: for a picture and its sound, or for metadata after it. */
export interface LongCall {
  fromNs: number;
  toNs: number;
}

/** Newest of them that are kept, to explain why frames got lost. */
const keptCalls = 500;

/** When a sender's frames were handed over, and how long that took. */
export class SubmitTimes {
  private previousBeginNs = Number.NaN;
  /** Oldest first. */
  readonly longCalls: LongCall[] = [];

  constructor(private readonly periodNs: number) {}

  /** Time since the submit before, ns; NaN for the first one, and where the sender does not report its times. */
  add(beginNs: number, previousCallNs: number): number {
    const { previousBeginNs } = this;
    this.previousBeginNs = beginNs;
    if (previousCallNs > this.periodNs) {
      this.longCalls.push({ fromNs: previousBeginNs, toNs: previousBeginNs + previousCallNs });
      if (this.longCalls.length > keptCalls) this.longCalls.shift();
    }
    return beginNs - previousBeginNs;
  }
}
