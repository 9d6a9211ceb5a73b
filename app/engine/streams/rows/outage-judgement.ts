import { stallSeconds, type Thresholds } from '../../../protocol/thresholds';
import { type Verdict, worseVerdict } from '../../../protocol/verdict';
import type { RangeCounts } from '../counting/range-counts';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import { frames, rateText } from '../losses/texts';
import type { Outage } from '../outages';
import { breachText, type Judgement } from './judgement';

/** Of a stream that is judged by its outages alone: nothing else is known of it. */
export const onlyOutages: Judgement = { verdict: 'PASS', reason: '', senderMissed: false };

/** What else it takes to judge an outage. */
interface OutageContext {
  framesPerSecond: number;
  thresholds: Thresholds;
  wallOffsetUs: number;
}

/** The counts without the silence at their end, which is judged as an outage. */
export function codedWithoutTail(counts: RangeCounts, senderElsewhere: boolean): RangeCounts {
  const { tail, stalls, unrecorded } = counts;
  if (!tail) return counts;
  // Records that a sender elsewhere cannot send while it is away are no fault of the instrument.
  const untold = senderElsewhere ? Math.min(unrecorded, tail.frames ?? 0) : 0;
  return { ...counts, stalls: stalls - (tail.isStall ? 1 : 0), unrecorded: unrecorded - untold };
}

export function foreignWithoutTail(counts: ForeignCounts): ForeignCounts {
  return counts.tail?.isStall ? { ...counts, stalls: counts.stalls - 1 } : counts;
}

/** A judgement of what was counted, made one of the outages beside it too: they come first in the reason. */
export function withOutages(
  judgement: Judgement,
  outages: readonly Outage[],
  { framesPerSecond, thresholds, wallOffsetUs }: OutageContext,
): Judgement {
  if (outages.length === 0) return judgement;
  const parts = outages.map((outage) => {
    const rule = isFailure(outage, framesPerSecond, thresholds)
      ? breachText('no outage', outage, wallOffsetUs)
      : '';
    return outageText(outage, framesPerSecond) + rule;
  });
  const worst = outages.reduce<Verdict>(
    (verdict, outage) =>
      worseVerdict(verdict, isFailure(outage, framesPerSecond, thresholds) ? 'FAIL' : 'WARN'),
    judgement.verdict,
  );
  const further = judgement.verdict === 'PASS' ? [] : [judgement.reason];
  const reason = (judgement.verdict === 'INVALID' ? [...further, ...parts] : [...parts, ...further]).join(
    '; ',
  );
  return { ...judgement, verdict: worst, reason };
}

/** As long as a stall, or of more frames than may be lost. */
function isFailure(
  { sinceNs, toNs, frames: lost }: Outage,
  framesPerSecond: number,
  { acceptableLostFrames }: Thresholds,
): boolean {
  const isLong = toNs - sinceNs >= stallSeconds(framesPerSecond) * 1e9;
  return isLong || lost === null || lost > acceptableLostFrames;
}

/** How long, and what it must have cost: "no picture for 10.0 s, about 600 frames at 59.94 fps (an estimate)". */
export function outageText(outage: Outage, framesPerSecond: number): string {
  const { fromNs, toNs, sinceNs, isOver, frames: lost } = outage;
  const seconds = (ns: number): string =>
    ns < 0.95e9 ? `${Math.round(ns / 1e6)} ms` : `${(ns / 1e9).toFixed(1)} s`;
  const sofar = isOver ? 'in all' : 'since it began';
  const whole = sinceNs < fromNs - 1e6 ? ` (${seconds(toNs - sinceNs)} ${sofar})` : '';
  const end = isOver ? '' : ', not over';
  const cost =
    lost === null
      ? 'how many frames it cost is not known'
      : lost === 0
        ? 'its frames are counted'
        : `about ${frames(lost)} at ${rateText(framesPerSecond)} fps (an estimate)`;
  return `no picture for ${seconds(toNs - fromNs)}${whole}${end}: ${cost}`;
}
