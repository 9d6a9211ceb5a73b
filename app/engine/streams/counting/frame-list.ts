import type { FrameRanges } from '../../../facts/figure';

/** Frame numbers that a row lists one by one; counts go on beyond it. */
const mostFrames = 1000;

/** Frame numbers in ascending order, the first of those that are added. */
export class FrameList {
  /** First and last number of each range in turn: such a list is copied at once. */
  private edges: number[] = [];
  private frames = 0;
  /** Set when the list is full: it grows no more, and is shared. */
  private whole: FrameRanges | null = null;

  add(frame: number): void {
    if (this.frames >= mostFrames) return;
    this.frames += 1;
    const newest = this.edges.length - 1;
    if (newest >= 0 && frame === (this.edges[newest] ?? 0) + 1) this.edges[newest] = frame;
    else this.edges.push(frame, frame);
  }

  get first(): number | null {
    return this.edges[0] ?? null;
  }

  get ranges(): FrameRanges {
    if (this.whole) return this.whole;
    const ranges: [first: number, last: number][] = [];
    for (let at = 0; at < this.edges.length; at += 2)
      ranges.push([this.edges[at] ?? 0, this.edges[at + 1] ?? 0]);
    if (this.frames >= mostFrames) this.whole = { ranges };
    return { ranges };
  }

  copy(): FrameList {
    if (this.frames >= mostFrames) return this;
    const copy = new FrameList();
    copy.edges = [...this.edges];
    copy.frames = this.frames;
    return copy;
  }
}
