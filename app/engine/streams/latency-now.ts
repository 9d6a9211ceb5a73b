import type { RecentLatencies } from './counting/recent-latencies';

/** End-to-end latency of the frames of all streams in one second, ms. */
export interface LatencyNow {
  p50Ms: number;
  p99Ms: number;
}

interface Followed {
  ledger: { recentLatencies: RecentLatencies } | null;
  /** Why its latencies are not known; absent or null: nothing speaks against them. */
  releaseMisfit?: string | null;
}

const secondNs = 1e9;

/** Latency of the frames captured in the last second, as far as their records are here; null if no age is known, or one is impossible. */
export function latencyNow(streams: readonly Followed[], nowNs: number): LatencyNow | null {
  const latenciesUs: number[] = [];
  for (const { ledger, releaseMisfit } of streams)
    if (releaseMisfit == null) ledger?.recentLatencies.since(nowNs - secondNs, latenciesUs);
  if (latenciesUs.length === 0) return null;
  // NaN sorts to the end.
  const sorted = Float64Array.from(latenciesUs).sort();
  if (Number.isNaN(sorted.at(-1))) return null;
  const rank = (percent: number): number =>
    (sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0) / 1000;
  return { p50Ms: rank(50), p99Ms: rank(99) };
}
