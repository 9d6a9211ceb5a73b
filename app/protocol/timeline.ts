/** What a window draws of one stream over time, as one block of columns. */

/** What became of the frames of a loss: they never came, the sender did not send them, or they came spoilt. */
export const lossMarks = ['absent', 'not-sent', 'spoilt'] as const;
export type LossMark = (typeof lossMarks)[number];

/** Times are wall time, ms since 1970. */
export interface TimelineBlock {
  /** Of the first and the newest picture that came; null before the first. */
  firstMs: number | null;
  lastMs: number | null;
  /** The range that it is of. */
  fromMs: number;
  toMs: number;
  /** Each is the interval between two pictures; otherwise the shortest and the longest of a time. */
  isWhole: boolean;
  /** Between two frames, by the rate. */
  periodMs: number;
  /** When the later of the two pictures came, or the middle of the time. */
  atMs: Float64Array;
  shortestMs: Float32Array;
  longestMs: Float32Array;
  /** Losses, in the order of their frames. */
  lossFromMs: Float64Array;
  lossToMs: Float64Array;
  lossFirstFrame: Float64Array;
  lossFrames: Uint32Array;
  /** Indexes of `lossMarks`. */
  lossMark: Uint8Array;
  /** Lost frames beyond the list of losses, which is limited. */
  framesUnlisted: number;
}

/** What a window shows at first: the newest of it. */
export const timelineMinuteMs = 60_000;
