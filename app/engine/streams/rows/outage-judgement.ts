import type { Fact } from '../../../protocol/fact';
import { reasonOf } from '../../../protocol/reason-words';
import { stallSeconds, type Thresholds } from '../../../protocol/thresholds';
import { type Verdict, worseVerdict } from '../../../protocol/verdict';
import type { RangeCounts } from '../counting/range-counts';
import type { Outage } from '../outages';
import { brokenRule, type Judgement } from './judgement';

/** Of a stream that is judged by its outages alone: nothing else is known of it. */
export const onlyOutages: Judgement = { verdict: 'PASS', reason: [], senderMissed: false };

/** What else it takes to judge an outage. */
interface OutageContext {
  framesPerSecond: number;
  /** It goes on to be counted: the row as it stands, or the live view. */
  isOpen: boolean;
  thresholds: Thresholds;
  wallOffsetUs: number;
}

/** The counts without the silence at their end, which is judged as an outage. */
export function codedWithoutTail(counts: RangeCounts, isSenderRemote: boolean): RangeCounts {
  const { tail, stalls, unrecorded } = counts;
  if (!tail) return counts;
  // Records that a remote sender cannot send while it is away are no fault of the instrument.
  const unreported = isSenderRemote ? Math.min(unrecorded, tail.frames ?? 0) : 0;
  return { ...counts, stalls: stalls - (tail.isStall ? 1 : 0), unrecorded: unrecorded - unreported };
}

/** A judgement of what was counted, made one of the outages beside it too: they come first in the reason. */
export function withOutages(
  judgement: Judgement,
  outages: readonly Outage[],
  { framesPerSecond, isOpen, thresholds, wallOffsetUs }: OutageContext,
): Judgement {
  if (outages.length === 0) return judgement;
  const found = outages.map((outage) => {
    const { code, data } = outageFact(outage, framesPerSecond, isOpen);
    const isBroken = isFailure(outage, framesPerSecond, thresholds);
    return { code, data: { ...data, ...(isBroken && brokenRule('no-outage', outage, wallOffsetUs)) } };
  });
  const worst = outages.reduce<Verdict>(
    (verdict, outage) =>
      worseVerdict(verdict, isFailure(outage, framesPerSecond, thresholds) ? 'FAIL' : 'WARN'),
    judgement.verdict,
  );
  const further = judgement.verdict === 'PASS' ? [] : judgement.reason;
  const reason = judgement.verdict === 'INVALID' ? [...further, ...found] : [...found, ...further];
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
export function outageFact(outage: Outage, framesPerSecond: number, isOpen: boolean): Fact {
  const { fromNs, toNs, sinceNs, isOver, frames } = outage;
  const beganBefore = sinceNs < fromNs - 1e6;
  return reasonOf('outage', {
    seconds: (toNs - fromNs) / 1e9,
    ...(beganBefore && { allSeconds: (toNs - sinceNs) / 1e9 }),
    ...{ isOver, frames, framesPerSecond },
    ...(!isOver && !isOpen && { inClosedRow: true }),
  });
}
