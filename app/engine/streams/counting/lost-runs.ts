import type { GapHistogram } from '../../../facts/distribution';
import type { SpoiltKind } from '../../../facts/spoilt';

/**
 * Where a number got lost, as the marks of its slot say. dropped: submitted and never captured, here or there. A kind of
 * spoilt frame: captured, but not as it was sent.
 */
export type LostStage = 'sender' | 'dropped' | 'undecodable' | SpoiltKind;

const absentStages: ReadonlySet<LostStage> = new Set(['sender', 'dropped', 'undecodable']);

/** Lost numbers of one stage, next to each other but for at most `joinedFrames` others. */
export interface LostRun {
  stage: LostStage;
  /** Cause of a miss (`MissCause`); -1 for the other stages. */
  cause: number;
  first: number;
  last: number;
  /** Lost numbers among them. */
  frames: number;
}

/** This few frames between two lost ones do not split a loss in two: a bad link lets a frame through now and then. */
const joinedFrames = 2;
/** Most runs that are listed for a range; the newest one is kept in addition. */
const listedRuns = 200;

/** The losses of a range, and the gaps that they left, from its slots in order. */
export class LostRuns {
  /** The first of the range. */
  private runs: LostRun[] = [];
  newest: LostRun | null = null;
  private gaps: GapHistogram = { of1: 0, of2: 0, of3to5: 0, of6to10: 0, of11to30: 0, over30: 0 };
  /** The gap that the newest lost number ends. */
  private gapFrames = 0;
  private gapLast = Number.NEGATIVE_INFINITY;

  get listed(): readonly LostRun[] {
    return this.runs;
  }

  copy(): LostRuns {
    const copy = new LostRuns();
    const end = this.runs.length - 1;
    const isNewestListed = this.newest !== null && this.runs[end] === this.newest;
    // A list that is full and over grows no more: copies share it.
    copy.runs = this.runs.length < listedRuns || isNewestListed ? [...this.runs] : this.runs;
    copy.newest = this.newest && { ...this.newest };
    copy.gaps = { ...this.gaps };
    copy.gapFrames = this.gapFrames;
    copy.gapLast = this.gapLast;
    // The newest run may still grow, in each copy by itself.
    if (copy.newest && isNewestListed) copy.runs[end] = copy.newest;
    return copy;
  }

  /** A number that is lost; slots come in order. */
  add(slot: number, stage: LostStage, cause = -1): void {
    // A spoilt frame has a readable picture, so it does not interrupt the pictures.
    if (absentStages.has(stage)) this.addToGap(slot);
    const { newest } = this;
    if (
      newest &&
      newest.stage === stage &&
      newest.cause === cause &&
      slot - newest.last - 1 <= joinedFrames
    ) {
      newest.last = slot;
      newest.frames += 1;
      return;
    }
    this.newest = { stage, cause, first: slot, last: slot, frames: 1 };
    if (this.runs.length < listedRuns) this.runs.push(this.newest);
  }

  /** Runs of numbers next to each other, by their length. */
  get gapHistogram(): GapHistogram {
    const gaps = { ...this.gaps };
    if (this.gapFrames > 0) gaps[gapClass(this.gapFrames)] += 1;
    return gaps;
  }

  private addToGap(slot: number): void {
    if (slot > this.gapLast + 1) this.endGap();
    this.gapFrames += 1;
    this.gapLast = slot;
  }

  private endGap(): void {
    if (this.gapFrames > 0) this.gaps[gapClass(this.gapFrames)] += 1;
    this.gapFrames = 0;
  }
}

function gapClass(frames: number): keyof GapHistogram {
  if (frames === 1) return 'of1';
  if (frames === 2) return 'of2';
  if (frames <= 5) return 'of3to5';
  if (frames <= 10) return 'of6to10';
  return frames <= 30 ? 'of11to30' : 'over30';
}
