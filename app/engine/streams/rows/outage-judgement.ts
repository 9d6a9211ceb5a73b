import type { Fact } from '../../../facts/fact';
import type { Outage as RecordedOutage } from '../../../facts/loss';
import { brokenGuards, type Finding, type Guard } from '../../../facts/precedence';
import { reasonOf } from '../../../facts/reason-words';
import { stallSeconds, type Thresholds } from '../../../protocol/thresholds';
import { isoOf } from '../../clock';
import type { RangeCounts } from '../counting/range-counts';
import { unsaidCauses } from '../losses/said-causes';
import type { Outage } from '../outages';
import { brokenRule, loss } from './judgement';

/** What else it takes to judge an outage. */
interface OutageContext {
  framesPerSecond: number;
  /** It goes on to be counted: the row as it stands, or the live view. */
  isOpen: boolean;
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** Its name, and what the reason says of the instrument beside its outages. */
  stream: string;
  guards: readonly Guard[];
}

/** The counts without the silence at their end, which is judged as an outage. */
export function codedWithoutTail(counts: RangeCounts, isSenderRemote: boolean): RangeCounts {
  const { tail, stalls, unrecorded } = counts;
  if (!tail) return counts;
  // Records that a remote sender cannot send while it is away are no fault of the instrument.
  const unreported = isSenderRemote ? Math.min(unrecorded, tail.frames ?? 0) : 0;
  return { ...counts, stalls: stalls - (tail.isStall ? 1 : 0), unrecorded: unrecorded - unreported };
}

/** What the outages beside the counts say: they come first in the reason. */
export function outageFindings(
  outages: readonly Outage[],
  { framesPerSecond, isOpen, thresholds, wallOffsetUs, stream, guards }: OutageContext,
): Finding[] {
  const broken = brokenGuards(guards);
  return outages.map((outage) => {
    const causes = unsaidCauses(outage.causes ?? [], broken, stream);
    const fact = outageFact({ ...outage, causes }, framesPerSecond, isOpen);
    const isBroken = isFailure(outage, framesPerSecond, thresholds);
    const rule = isBroken && brokenRule({ rule: 'no-outage' }, outage, wallOffsetUs);
    const finding = loss(isBroken, { ...fact, data: { ...fact.data, ...rule } });
    return outage.isProved ? { ...finding, proved: { verdict: finding.verdict, part: null } } : finding;
  });
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

/** As it is recorded. `isOpen`: it goes on to be counted. */
export function recordedOutage(
  outage: Outage,
  {
    framesPerSecond,
    wallOffsetUs,
    isOpen,
  }: Pick<OutageContext, 'framesPerSecond' | 'wallOffsetUs' | 'isOpen'>,
): RecordedOutage {
  return {
    startedAt: isoOf(outage.sinceNs, wallOffsetUs),
    endedAt: outage.isOver ? isoOf(outage.toNs, wallOffsetUs) : null,
    seconds: (outage.toNs - outage.fromNs) / 1e9,
    framesEstimated: outage.frames,
    fact: outageFact(outage, framesPerSecond, isOpen),
  };
}

/** How long, and what it must have cost: "no new picture for 10.0 s, about 600 frames at 59.94 fps (an estimate)". */
export function outageFact(outage: Outage, framesPerSecond: number, isOpen: boolean): Fact {
  const { fromNs, toNs, sinceNs, isOver, frames, causes = [] } = outage;
  const beganBefore = sinceNs < fromNs - 1e6;
  const fact = reasonOf('outage', {
    seconds: (toNs - fromNs) / 1e9,
    ...(beganBefore && { allSeconds: (toNs - sinceNs) / 1e9 }),
    ...{ isOver, frames, framesPerSecond },
    ...(!isOver && !isOpen && { inClosedRow: true }),
  });
  return causes.length > 0 ? { ...fact, seen: [...causes] } : fact;
}
