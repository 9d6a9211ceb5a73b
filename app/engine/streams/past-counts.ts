import type { SpoiltFigure } from '../../facts/spoilt';
import { type Verdict, worseVerdict } from '../../facts/verdict';
import type { StreamView } from '../../protocol/console';

/** What a strip counts of one sender, before what was counted of those before in its place. */
export type OwnCounts = Pick<
  StreamView,
  | ('framesSubmitted' | 'framesReceived' | 'framesDropped' | 'framesMissing' | 'framesSenderMissed')
  | ('framesLateSource' | 'framesLateSourceDisk' | 'framesLateSourceDecode' | 'framesLateSourceDamaged')
  | ('framesDuplicated' | 'framesReordered' | 'framesUndecodable' | SpoiltFigure)
  | ('lostTotal' | 'framesInOutages')
>;

/** What is known of a stream's senders so far, the newest last. */
export interface Known {
  counts: OwnCounts;
  /** Why losses were not measured all the time; empty where they were. */
  lossesNotMeasured: string;
  longestGapMs: number | null;
  verdict: Verdict | null;
  reason: string;
}

/** Both together: sums, and the worse verdict with its own reason. */
export function joined(past: Known, now: Known): Known {
  const counts = { ...now.counts };
  for (const key of Object.keys(counts) as (keyof OwnCounts)[]) {
    const [before, own] = [past.counts[key], now.counts[key]];
    counts[key] = before === null || own === null ? (own ?? before) : before + own;
  }
  const lossesNotMeasured = now.lossesNotMeasured || past.lossesNotMeasured;
  // Where not all was measured, no loss was found: that is not none.
  for (const key of ['lostTotal', 'framesMissing'] as const)
    if (lossesNotMeasured !== '' && counts[key] === 0) counts[key] = null;
  const gaps = [past.longestGapMs, now.longestGapMs].filter((gap): gap is number => gap !== null);
  const longestGapMs = gaps.length > 0 ? Math.max(...gaps) : null;
  const isPastWorse =
    past.verdict !== null &&
    (now.verdict === null || worseVerdict(past.verdict, now.verdict) !== now.verdict);
  const { verdict, reason } = isPastWorse ? past : now;
  return { counts, lossesNotMeasured, longestGapMs, verdict, reason };
}
