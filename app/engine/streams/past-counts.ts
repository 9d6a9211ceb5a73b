import { frames } from '../../facts/count-words';
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

/** What is known about a stream's senders so far, the newest last. */
export interface Known {
  counts: OwnCounts;
  /** Why losses were not measured all the time; empty if they were. */
  lossesNotMeasured: string;
  longestGapMs: number | null;
  verdict: Verdict | null;
  reason: string;
  /** What the reason is of: since the outage at this time of day, and before the one at this; empty: since the start, or until now. */
  sinceOutage: string;
  beforeOutage: string;
  /** Other starts of the sender did not pass either, and the reason says nothing of them. */
  isPartial: boolean;
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
  const [said, unsaid] = isPastWorse ? [past, now] : [now, past];
  const { verdict, reason, sinceOutage } = said;
  const beforeOutage = isPastWorse ? past.beforeOutage || now.sinceOutage : '';
  const isPartial = past.isPartial || (unsaid.verdict ?? 'PASS') !== 'PASS';
  return {
    ...{ counts, lossesNotMeasured, longestGapMs, verdict, reason },
    ...{ sinceOutage, beforeOutage, isPartial },
  };
}

/** The reason; where it is not of all starts of the sender, with what it is of, and with what was lost in all. */
export function reasonOfStarts({ reason, sinceOutage, beforeOutage, isPartial, counts }: Known): string {
  if (!isPartial) return reason;
  const totals = [
    ['', counts.framesSenderMissed, 'missed by the sender'] as const,
    ['', counts.lostTotal, 'lost'] as const,
    ['about ', counts.framesInOutages, 'in outages (an estimate)'] as const,
  ].flatMap(([about, count, what]) =>
    count !== null && count > 0 ? [`${about}${frames(count)} ${what}`] : [],
  );
  const of = [
    sinceOutage && `since the outage at ${sinceOutage} UTC`,
    beforeOutage && `before the outage at ${beforeOutage} UTC`,
  ].filter((part) => part !== '');
  const all = totals.length > 0 ? `; in all: ${totals.join(', ')}` : '';
  return `${of.join(' and ')}: ${reason}${all}`;
}
