import type { FrameTime } from './foreign-times';

/** How fast the grid follows the frames, and its period theirs; in periods, for each frame. */
const phaseGain = 0.1;
const periodGain = 0.0005;

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
    /** Of the newest frame. */
    public number: number,
  ) {
    this.previous = first;
    this.anchorUs = first.timeUs;
  }

  /** Periods from the frame before to this one; 0: it comes in the place of the one before. */
  advance(frame: FrameTime): number {
    const distance = (frame.timeUs - this.anchorUs) / this.periodUs;
    const steps = Math.max(0, Math.round(distance));
    const error = distance - steps;
    this.previous = frame;
    this.number += steps;
    this.anchorUs += (steps + phaseGain * error) * this.periodUs;
    if (steps === 1) this.periodUs *= 1 + periodGain * error;
    return steps;
  }
}
