import { defaultThresholds } from '../../protocol/thresholds';
import { Mean } from './mean';

/** As for a second without any sample. */
const { maxSampleGapSeconds } = defaultThresholds;
/** Samples come twice a second. */
const sampleNs = 0.5e9;

/**
 * A figure over consecutive samples, some of which may lack it. The others stand for the whole time only if it was known often enough: what
 * happened during a longer gap is unknown.
 */
export class PartlyKnown {
  private readonly values = new Mean();
  private readonly most = new Mean();
  private isUnbounded = false;
  private reason: string | null = null;
  private knownNs: number | null = null;
  private newestNs = 0;
  private isLacking = false;
  private longestNs = 0;

  /** `value`: a string says why this sample lacks it. `atMost`: more than that it was not; null: that is not known. */
  add(atNs: number, value: number | string, atMost: number | null = null): void {
    const most = typeof value === 'string' ? atMost : value;
    this.most.add(most);
    this.isUnbounded ||= most === null;
    const knownNs = this.knownNs ?? atNs - sampleNs;
    this.knownNs = knownNs;
    this.newestNs = atNs;
    if (typeof value === 'string') {
      this.reason ??= value;
      this.isLacking = true;
      return;
    }
    if (this.isLacking) this.longestNs = Math.max(this.longestNs, atNs - knownNs);
    this.isLacking = false;
    this.knownNs = atNs;
    this.values.add(value);
  }

  /** Mean of what is known. */
  get mean(): number | null {
    return this.values.mean;
  }

  /** Mean of the most that it can have been; null: that is not known. */
  get mostMean(): number | null {
    return this.isUnbounded ? null : this.most.mean;
  }

  /** Why a stretch of more than `maxGapSeconds` is not known; null: there is none, or there was no sample. */
  whyUnknown(maxGapSeconds = maxSampleGapSeconds): string | null {
    const lackingNs = this.isLacking ? this.newestNs + sampleNs - (this.knownNs ?? 0) : 0;
    const isUnknown = this.mean === null || Math.max(this.longestNs, lackingNs) > maxGapSeconds * 1e9;
    return isUnknown ? this.reason : null;
  }

  /** The mean, where it stands for the whole time. */
  meanOfAll(maxGapSeconds = maxSampleGapSeconds): number | null {
    return this.whyUnknown(maxGapSeconds) === null ? this.mean : null;
  }
}
