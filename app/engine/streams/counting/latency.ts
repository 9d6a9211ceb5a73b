import type { ReleaseClock } from '../clocks/release-clock';

export interface Latency {
  us: number;
  /** ±; null: one clock for both ends. */
  uncertaintyUs: number | null;
}

const releaseWrap = 2 ** 48;

/** From release to capture; null if the difference to the sender's clock is not known at that moment. */
export function latencyOf(clock: ReleaseClock, captureNs: number, releaseTimeUs: number): Latency | null {
  const offsetUs = clock.offsetUs(captureNs);
  if (offsetUs === null) return null;
  return {
    us: sinceReleaseUs(captureNs / 1000 + offsetUs, releaseTimeUs),
    uncertaintyUs: clock.uncertaintyUs(captureNs),
  };
}

/** From a release time, which wraps at 2⁴⁸ µs, to a moment of the same clock. */
export function sinceReleaseUs(atUs: number, releaseUs: number): number {
  let latency = (atUs % releaseWrap) - releaseUs;
  if (latency > releaseWrap / 2) latency -= releaseWrap;
  if (latency < -releaseWrap / 2) latency += releaseWrap;
  return latency;
}
