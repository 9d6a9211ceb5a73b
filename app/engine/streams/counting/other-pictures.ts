import type { Span } from './capture-counter';

/** When pictures of other sources arrived since the highest number: at those times none of ours was shown. */
export class OtherPictures {
  private spans: Span[] = [];

  /** `togetherNs`: those that are no farther apart belong together. */
  add(atNs: number, togetherNs: number): void {
    const newest = this.spans[this.spans.length - 1];
    if (newest && atNs - newest.toNs <= togetherNs) newest.toNs = atNs;
    else this.spans.push({ fromNs: atNs, toNs: atNs });
  }

  /** Whether one of them stood in the place of a picture that was due then. */
  cover(atNs: number, periodNs: number): boolean {
    return this.spans.some(({ fromNs, toNs }) => atNs > fromNs - periodNs && atNs < toNs + periodNs);
  }

  clear(): void {
    if (this.spans.length > 0) this.spans = [];
  }
}
