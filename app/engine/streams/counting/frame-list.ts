import type { FrameRanges } from '../../../protocol/figure';

/** Frame numbers that a row lists one by one; counts go on beyond it. */
const mostFrames = 1000;

/** Frame numbers in ascending order, the first of those that are added. */
export class FrameList {
  private readonly found: [first: number, last: number][] = [];
  private frames = 0;

  add(frame: number): void {
    if (this.frames >= mostFrames) return;
    this.frames += 1;
    const newest = this.found.at(-1);
    if (newest && frame === newest[1] + 1) newest[1] = frame;
    else this.found.push([frame, frame]);
  }

  get first(): number | null {
    return this.found[0]?.[0] ?? null;
  }

  /** A list that is full grows no more, and is shared. */
  get ranges(): FrameRanges {
    return {
      ranges: this.frames < mostFrames ? this.found.map(([first, last]) => [first, last]) : this.found,
    };
  }

  copy(): FrameList {
    if (this.frames >= mostFrames) return this;
    const copy = new FrameList();
    copy.found.push(...this.ranges.ranges);
    copy.frames = this.frames;
    return copy;
  }
}
