import type { FrameTime } from './foreign-times';

/** How fast a grid that is well known follows the frames, and its period theirs; in periods, for each frame. */
const phaseGain = 0.1;
const periodGain = 0.0005;
/** The period is averaged over this many frames. Until then it adapts faster, as a line through all frames would. */
const firstFrames = 24;
/** After this many frames the period is well known. */
const knownFrames = 96;
/** A step this near to one period is a single step. */
const nearPeriod = 0.35;
/** In a shorter step no frame is missing, wherever the grid lies: a sender may go on half a period off it. */
const longStep = 1.65;

export function isSingleStep(stepUs: number, periodUs: number): boolean {
  return Math.abs(stepUs / periodUs - 1) <= nearPeriod;
}

/** Whether frames may be missing in a step from one to the next. */
export function isLongStep(stepUs: number, periodUs: number): boolean {
  return stepUs >= longStep * periodUs;
}

/** Whether the frame after a step may be one of those that are missing before it: it comes too early for the next one. */
export function mayFillGap(stepUs: number, periodUs: number): boolean {
  return !isSingleStep(stepUs, periodUs) && !isLongStep(stepUs, periodUs);
}

/**
 * The steady rate under the times of frames: frames are stamped when the sender hands them over, some milliseconds early
 * or late, and at a rate a little off the declared one.
 */
export class FrameGrid {
  previous: FrameTime;
  /** Where the newest frame belongs by the grid. */
  private anchorUs: number;

  constructor(
    public periodUs: number,
    first: FrameTime,
    /** Number of the newest frame. */
    public number: number,
    private frames = firstFrames,
  ) {
    this.previous = first;
    this.anchorUs = first.timeUs;
  }

  copy(): FrameGrid {
    const copy = new FrameGrid(this.periodUs, this.previous, this.number, this.frames);
    copy.anchorUs = this.anchorUs;
    return copy;
  }

  /** Sets the period, measured over `steps` steps, if the present one was measured over fewer. */
  refine(periodUs: number, steps: number): void {
    if (steps <= this.frames || this.frames >= knownFrames) return;
    this.periodUs = periodUs;
    this.frames = steps;
  }

  /** The same rate, from another frame on. */
  from(first: FrameTime, number: number): FrameGrid {
    return new FrameGrid(this.periodUs, first, number, this.frames);
  }

  /** Periods by which the newest frame moved the grid beside what it counted. */
  shift = 0;

  /** Periods from the frame before to this one; 0: it comes in the place of the one before. */
  advance(frame: FrameTime): number {
    const distance = (frame.timeUs - this.anchorUs) / this.periodUs;
    const stepUs = frame.timeUs - this.previous.timeUs;
    const steps = stepsIn(distance, stepUs / this.periodUs);
    const error = distance - steps;
    this.previous = frame;
    this.number += steps;
    // Half a period off the grid is a sender that went on elsewhere.
    this.shift = Math.abs(error) > 0.5 ? Math.round(error) : 0;
    if (Math.abs(error) > 0.5) this.anchorUs = frame.timeUs;
    else this.anchorUs += (steps + Math.max(phaseGain, 4 / this.frames) * error) * this.periodUs;
    if (steps !== 1) return steps;
    this.frames += 1;
    this.periodUs *= 1 + Math.max(periodGain, 6 / this.frames ** 2) * error;
    return steps;
  }
}

/** Periods from one frame to the next, by the grid and by the two alone. */
function stepsIn(byGrid: number, alone: number): number {
  if (isSingleStep(alone, 1)) return 1;
  const steps = Math.max(0, Math.round(byGrid));
  return alone >= longStep ? Math.max(2, steps) : Math.min(1, steps);
}
