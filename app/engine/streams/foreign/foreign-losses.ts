import { LostRuns } from '../counting/lost-runs';
import { SlidingLoss } from '../counting/sliding-loss';

/** Frames next to each other that never came. */
export interface ForeignLoss {
  /** Counted from the first frame that was followed. */
  firstFrame: number;
  frames: number;
  /** When they should have come, on our monotonic clock. */
  fromNs: number;
  toNs: number;
}

/** A gap between two frames. */
export interface ForeignGap {
  firstFrame: number;
  frames: number;
  /** When the first of them should have come. */
  fromNs: number;
  periodNs: number;
  /** When the frame after the gap came. */
  foundNs: number;
}

/** A frame that arrives after later ones fills a gap if the gap is this near. */
const nearNs = 1e9;
const listedLosses = 200;
/** A measured rate follows the sender's clock. */
const sameRateShare = 0.02;
/** A frame that is held up for longer is a stall or a silence. */
const mostHeldNs = 0.5e9;

/** The gaps of the newest second, as long as late frames may still fill them. */
export class ForeignGaps {
  private gaps: ForeignGap[] = [];
  /** Frames that came beside the rate since one came by it: the sender was late with others, or early, which is no loss. */
  private extras = 0;
  /** Places that the grid skipped since then without a gap: frames that come beside the rate belong there. */
  private skipped = 0;
  /** When the last frame at the rate arrived, while later ones are off the rate. */
  private unevenNs = Number.POSITIVE_INFINITY;
  /** The newest frame came by the rate. */
  private isAtRate = false;
  /** The newest gap was found since two frames came by the rate. */
  private isFresh = false;

  get open(): readonly ForeignGap[] {
    return this.gaps;
  }

  copy(): ForeignGaps {
    const copy = new ForeignGaps();
    copy.gaps = this.gaps.map((gap) => ({ ...gap }));
    copy.extras = this.extras;
    copy.skipped = this.skipped;
    copy.isAtRate = this.isAtRate;
    copy.unevenNs = this.unevenNs;
    copy.isFresh = this.isFresh;
    return copy;
  }

  add(gap: ForeignGap): void {
    const filled = Math.min(this.extras, gap.frames);
    this.extras -= filled;
    if (gap.frames > filled) this.gaps.push({ ...gap, frames: gap.frames - filled });
    this.isFresh = true;
    this.isAtRate = false;
  }

  /**
   * Notes a frame at the rate. A single one may be chance within a burst; the second in a row ends a time off the rate.
   * @returns not null if frames in that time filled no gap (surplus), or if skipped places got no frame (skipped)
   */
  addSingle(): { why: 'surplus' | 'skipped'; sinceNs: number } | null {
    const isSecond = this.isAtRate;
    this.isAtRate = true;
    if (!isSecond) return null;
    const why: 'surplus' | 'skipped' | null =
      this.extras > 0 ? 'surplus' : this.skipped > 0 ? 'skipped' : null;
    const open = why && { why, sinceNs: this.unevenNs };
    this.unevenNs = Number.POSITIVE_INFINITY;
    this.extras = 0;
    this.skipped = 0;
    this.isFresh = false;
    return open;
  }

  /** A frame took the next place, but not by the rate. */
  addUneven(previousNs: number): null {
    this.isAtRate = false;
    this.unevenNs = Math.min(this.unevenNs, previousNs);
    return null;
  }

  /** Notes that the grid moved by some places, forward or back, apart from what was counted. */
  addShift(places: number, atNs: number): void {
    if (places !== 0) this.isAtRate = false;
    const filled = Math.max(0, Math.min(this.extras, places));
    this.extras -= filled;
    this.skipped += Math.max(0, places - filled);
    for (let back = places; back < 0; back++) this.addExtra(atNs);
  }

  /** A frame came in the place of another one: it fills the gap before, or the one that follows. */
  addExtra(atNs: number): void {
    this.isAtRate = false;
    if (this.skipped > 0) this.skipped -= 1;
    else if (!this.isFresh || !this.refill(atNs)) this.extras += 1;
  }

  /** True when there was a gap to fill. */
  refill(atNs: number): boolean {
    const newest = this.gaps[this.gaps.length - 1];
    if (!newest || atNs - newest.foundNs > nearNs) return false;
    newest.frames -= 1;
    if (newest.frames === 0) this.gaps.pop();
    return true;
  }

  /** Takes out the gaps that nothing fills any more. */
  settle(beforeNs: number): ForeignGap[] {
    const count = this.gaps.findIndex(({ foundNs }) => foundNs >= beforeNs - nearNs);
    return this.gaps.splice(0, count < 0 ? this.gaps.length : count);
  }
}

/** Sums over the gaps of a stretch of time, in their order. */
export class ForeignTally {
  frames = 0;
  /** First 200. */
  losses: ForeignLoss[] = [];
  newest: ForeignLoss | null = null;
  runs = new LostRuns();
  private window: SlidingLoss;
  private second: SlidingLoss;
  /** Where the newest missing frame lies in them. */
  private last: { frame: number; ns: number; periodNs: number; place: number } | null = null;

  /** Lengths of the sliding windows of the verdict and of a second: of time, since the rate may change. */
  constructor(
    private readonly windowNs: number,
    private readonly secondNs: number,
  ) {
    this.window = new SlidingLoss(windowNs);
    this.second = new SlidingLoss(secondNs);
  }

  get worstWindow(): number {
    return this.window.worst;
  }

  get worstSecond(): number {
    return this.second.worst;
  }

  copy(): ForeignTally {
    const copy = new ForeignTally(this.windowNs, this.secondNs);
    copy.frames = this.frames;
    copy.losses = [...this.losses];
    copy.newest = this.newest;
    copy.runs = this.runs.copy();
    copy.window = this.window.copy();
    copy.second = this.second.copy();
    copy.last = this.last;
    return copy;
  }

  /**
   * So long after the missing frame before as there are periods between them, where the rate is the same: frames that were held up come
   * late together, by less than a stall. Where it has changed, as long as it took.
   */
  private placeOf(frame: number, ns: number, periodNs: number): number {
    const { last } = this;
    const tookNs = last ? ns - last.ns : 0;
    const isSameRate = last !== null && Math.abs(periodNs - last.periodNs) < sameRateShare * periodNs;
    const byRateNs = last && isSameRate ? (frame - last.frame) * periodNs : tookNs;
    const place = last ? last.place + Math.max(byRateNs, tookNs - mostHeldNs) : ns;
    this.last = { frame, ns, periodNs, place };
    return place;
  }

  /** Adds those frames of a gap that were due from one moment on and before another. */
  add({ firstFrame, frames, fromNs: firstNs, periodNs }: ForeignGap, fromNs: number, toNs: number): void {
    const from = Math.max(0, Math.ceil((fromNs - firstNs) / periodNs));
    const to = Math.min(frames, Math.ceil((toNs - firstNs) / periodNs));
    if (to <= from) return;
    for (let index = from; index < to; index++) {
      this.runs.add(firstFrame + index, 'dropped');
      const place = this.placeOf(firstFrame + index, firstNs + index * periodNs, periodNs);
      this.window.add(place);
      this.second.add(place);
    }
    this.frames += to - from;
    this.newest = {
      firstFrame: firstFrame + from,
      frames: to - from,
      fromNs: firstNs + from * periodNs,
      toNs: firstNs + to * periodNs,
    };
    if (this.losses.length < listedLosses) this.losses.push(this.newest);
  }
}
