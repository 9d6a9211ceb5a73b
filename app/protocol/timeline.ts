import type { Loss, Outage } from '../facts/loss';

/** What a window draws of one stream over time, as one block of columns. */

/**
 * What became of the frames of a loss: they never came, the sender did not send them, or they came spoilt. In an outage no picture came,
 * and what it cost follows from the rate.
 */
export const lossMarks = ['absent', 'not-sent', 'spoilt', 'outage'] as const;
export type LossMark = (typeof lossMarks)[number];

/** What is known of the cause of a loss or an outage. */
export type KnownLoss = { kind: 'frames'; loss: Loss } | { kind: 'outage'; outage: Outage };

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
  /** Losses and outages since the warm-up, in the order of their times, of all that sent in the place of the stream. */
  lossFromMs: Float64Array;
  lossToMs: Float64Array;
  /** By which one is explained. */
  lossKeys: readonly string[];
  /** Indexes of `lossMarks`. */
  lossMark: Uint8Array;
  /** The sums of the stream's strip: counted, and estimated by the rate. Null: not measured, or there was no outage. */
  lostFrames: number | null;
  notSentFrames: number | null;
  outageFrames: number | null;
  /** Lost frames beyond the list of losses, which is limited. */
  framesUnlisted: number;
}

/** What a window shows at first: the newest of it. */
export const timelineMinuteMs = 60_000;
