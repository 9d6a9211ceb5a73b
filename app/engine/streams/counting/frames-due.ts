/** A time without a frame. */
export interface Gap {
  /** When the first frame of it was due. */
  sinceNs: number;
  /** When a frame came again; Infinity before. */
  untilNs: number;
  periodNs: number;
}

/** Moments are sums of periods that are no whole nanoseconds: one that is due at a moment is not due before it. */
const roundingPeriods = 1e-6;

/**
 * How many frames of a gap were due before a moment. The frames of a part of the gap are the difference of two such counts, so that the
 * parts add up to the whole, wherever it is divided.
 */
export function framesDue({ sinceNs, untilNs, periodNs }: Gap, atNs: number): number {
  const periods = (Math.min(atNs, untilNs) - sinceNs) / periodNs;
  // The frame that came again need not come at its slot.
  return atNs < untilNs ? Math.ceil(periods - roundingPeriods) : Math.round(periods);
}
