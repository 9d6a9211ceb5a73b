import { reasonOf } from '../../facts/reason-words';
import { mostStreams } from './declaration';
import type { IperfReport } from './iperf-report';
import {
  doubt,
  type Judgement,
  judgeLoss,
  type LinkFigures,
  type LinkLimits,
  nothingArrived,
  saturation,
  senderSlow,
  type UdpLoss,
} from './judgement';

/** iperf3 holds a rate to a tick of 1 ms; what stays further below it was held back. */
export const heldShare = 0.98;
/** An interval is late that moved less than this of what was asked for. */
const lateShare = 0.95;
/** The last interval may be a moment only. */
const leastIntervalSeconds = 0.5;

/** How many streams a link has room for, of those that iperf3 can send side by side; one is tried in any case. */
export function roomFor(capacityMbps: number, streamMbps: number): number {
  return Math.max(1, Math.min(mostStreams, Math.floor(capacityMbps / streamMbps)));
}

/** Numbers of streams whose rates are tried: 1, 2, 4 … and the last one. */
export function heldSteps(last: number): number[] {
  const steps: number[] = [];
  for (let step = 1; step < last; step *= 2) steps.push(step);
  return [...steps, last];
}

/** Intervals in which this end moved clearly less than was asked for; null: iperf3 does not report them. */
export function lateIntervals({ intervals }: IperfReport, targetMbps: number): number | null {
  if (!intervals || intervals.length === 0) return null;
  let late = 0;
  for (const { mb, seconds } of intervals) {
    if (seconds === null) return null;
    if (seconds >= leastIntervalSeconds && (8 * mb) / seconds < lateShare * targetMbps) late += 1;
  }
  return late;
}

/** A row at the rate of a number of streams. */
export interface HeldRate {
  streams: number;
  targetMbps: number;
  /** Of the repeat that had least: what was sent of UDP, what arrived of TCP; null: not reported of each. */
  leastMbps: number | null;
  /** Mean over the repeats; null: not reported. */
  lateIntervals: number | null;
  /** Payload of a full link; null: its speed is not known. */
  fullMbps: number | null;
}

export function judgeHeldUdp(
  figures: LinkFigures,
  loss: UdpLoss,
  held: HeldRate,
  limits: LinkLimits,
): Judgement {
  const found = judgeLoss(figures, loss, limits);
  const short = shortfall(figures, held, limits);
  // A low loss at a lower rate does not tell the loss at the requested rate; a high loss does.
  if (found && (found.verdict !== 'WARN' || !short)) return found;
  return short ?? lateness(held) ?? carriedAll(held);
}

/** A sender that did not reach its rate. */
function shortfall(figures: LinkFigures, held: HeldRate, limits: LinkLimits): Judgement | null {
  const { fullMbps, targetMbps, leastMbps } = held;
  if (leastMbps === null) return { verdict: 'INVALID', fact: reasonOf('sent-unreported') };
  if (leastMbps >= heldShare * targetMbps) return null;
  const share = { leastMbps, ...worthOf(held) };
  if (fullMbps !== null && targetMbps > fullMbps)
    return { verdict: 'FAIL', fact: reasonOf('streams-beyond-link', { ...share, fullMbps }) };
  const why = saturation(figures, limits, 'any') ?? senderSlow;
  return { verdict: 'INVALID', fact: reasonOf('streams-not-sent', { ...share, ...why }) };
}

/** The link itself holds back a sender of TCP, which repairs what is lost. */
export function judgeHeldTcp(
  figures: LinkFigures,
  retransmits: number | null,
  held: HeldRate,
  limits: LinkLimits,
): Judgement {
  const { leastMbps } = held;
  if (leastMbps === null) return nothingArrived;
  if (leastMbps < heldShare * held.targetMbps) {
    const share = { leastMbps, ...worthOf(held) };
    const why = doubt(figures, limits, 'any');
    if (why) return { verdict: 'INVALID', fact: reasonOf('streams-held-back', { ...share, ...why }) };
    return { verdict: 'FAIL', fact: reasonOf('streams-not-arrived', share) };
  }
  const late = lateness(held);
  if (late) return late;
  if (retransmits === 0) return carriedAll(held);
  const fact = reasonOf('streams-carried-again', { ...worthOf(held), retransmits });
  return { verdict: 'WARN', fact, isRemark: retransmits === null };
}

function lateness(held: HeldRate): Judgement | null {
  const { lateIntervals: late } = held;
  if (!late) return null;
  const data = { ...worthOf(held), lateIntervals: late, sharePercent: 100 * lateShare };
  return { verdict: 'WARN', fact: reasonOf('streams-carried-late', data) };
}

function carriedAll(held: HeldRate): Judgement {
  return { verdict: 'PASS', fact: reasonOf('streams-carried', worthOf(held)) };
}

function worthOf({ streams, targetMbps }: HeldRate) {
  return { streams, targetMbps };
}
