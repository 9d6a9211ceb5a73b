import { beatMs } from '../../protocol/beat';

/** A look that comes later than the one before by more is the first after a time in which this process itself did not run. */
const longestStepNs = 2 * beatMs * 1e6;

/**
 * How long this process has listened to others, in looks that come at each beat: what they said while it did not run itself is not read
 * yet, and is no silence of theirs.
 */
export class ListenedTime {
  ns = 0;
  private resumedNs = 0;
  private wasLate = false;
  private lookedNs: number | null = null;

  look(nowNs: number): void {
    const stepNs = nowNs - (this.lookedNs ?? nowNs);
    this.lookedNs = nowNs;
    this.ns += Math.min(stepNs, longestStepNs);
    const isLate = stepNs > longestStepNs;
    // A process that is always late still notices who is silent.
    if (isLate && !this.wasLate) this.resumedNs = this.ns;
    this.wasLate = isLate;
  }

  /** Since so much was listened, without a time in which this process itself did not run. */
  since(readAtNs: number): number {
    return this.ns - Math.max(readAtNs, this.resumedNs);
  }
}
