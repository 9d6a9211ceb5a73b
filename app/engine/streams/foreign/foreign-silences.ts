import type { Span } from '../counting/range-counter';

/** A time without a new frame, as far as it lies in what is counted. */
export interface ForeignSilence extends Span {
  /** When the first frame was due, perhaps before what is counted. */
  sinceNs: number;
  /** Frames came again in what is counted. */
  isOver: boolean;
  /** The connection was gone at some time of it. */
  isGone: boolean;
  /** Frames that were due in it; null where the rate is not known. */
  frames: number | null;
}

/** As it was, whatever is counted. */
export interface Silence {
  sinceNs: number;
  /** When a frame came again; Infinity before. */
  untilNs: number;
  periodNs: number;
  isRateKnown: boolean;
}

/** Says for how long a connection that had been there was gone. */
export interface Connection {
  goneNs(fromNs: number, toNs: number): number;
}

/** The part of a silence in a range; null where no frame was due in it. */
export function silenceIn(
  { sinceNs, untilNs, periodNs, isRateKnown }: Silence,
  range: Span,
  connection: Connection,
): ForeignSilence | null {
  const fromNs = Math.max(sinceNs, range.fromNs);
  const toNs = Math.min(untilNs, range.toNs);
  const isWhole = sinceNs >= range.fromNs && untilNs < range.toNs;
  if (toNs - fromNs < periodNs && !isWhole) return null;
  return {
    ...{ fromNs, toNs, sinceNs, isOver: untilNs < range.toNs },
    isGone: connection.goneNs(sinceNs, toNs) > 0,
    frames: isRateKnown ? Math.round((toNs - fromNs) / periodNs) : null,
  };
}
