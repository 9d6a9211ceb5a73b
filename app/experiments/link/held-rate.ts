import { mostStreams } from './declaration';
import type { IperfReport } from './iperf-report';
import {
  doubt,
  type Judgement,
  judgeLoss,
  type LinkFigures,
  type LinkLimits,
  megabits,
  nothingArrived,
  saturation,
  senderSlow,
  type UdpLoss,
} from './judgement';

/** iperf3 holds a rate to a tick of 1 ms; what stays further below it was held back. */
const heldShare = 0.98;
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

/** A row that is held at the rate of so many streams. */
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
  if (leastMbps === null) return { verdict: 'INVALID', reason: 'iperf3 does not report how much was sent' };
  if (leastMbps >= heldShare * targetMbps) return null;
  const share = `${megabits(leastMbps)} of ${wanted(held)}`;
  if (fullMbps !== null && targetMbps > fullMbps)
    return {
      verdict: 'FAIL',
      reason: `${share} were sent: a full link holds ${megabits(fullMbps)} of payload`,
    };
  const why = saturation(figures, limits, 'any') ?? senderSlow;
  return {
    verdict: 'INVALID',
    reason: `${why}: only ${share} were sent, so the link was not tried with them`,
  };
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
    const share = `${megabits(leastMbps)} of ${wanted(held)} arrived`;
    const why = doubt(figures, limits, 'any');
    if (why) return { verdict: 'INVALID', reason: `${why}: the link may carry more; ${share}` };
    return { verdict: 'FAIL', reason: share };
  }
  const late = lateness(held);
  if (late) return late;
  const all = `carried ${wanted(held)}`;
  if (retransmits === null)
    return { verdict: 'WARN', isRemark: true, reason: `${all}; iperf3 does not report what was sent again` };
  return retransmits > 0
    ? {
        verdict: 'WARN',
        reason: `${all}; segments sent again in a repeat: ${Number(retransmits.toFixed(1))}`,
      }
    : carriedAll(held);
}

function lateness(held: HeldRate): Judgement | null {
  const { lateIntervals: late } = held;
  if (!late) return null;
  const share = `less than ${Math.round(100 * lateShare)} % of it`;
  const intervals = `${Number(late.toFixed(1))} ${late === 1 ? 'interval' : 'intervals'} of a repeat moved ${share}`;
  return { verdict: 'WARN', reason: `carried ${wanted(held)}, but ${intervals}` };
}

function carriedAll(held: HeldRate): Judgement {
  return { verdict: 'PASS', reason: `carried ${wanted(held)} without loss` };
}

export function wanted({ streams, targetMbps }: Pick<HeldRate, 'streams' | 'targetMbps'>): string {
  return `${streams === 1 ? 'one stream’s' : `${streams} streams’`} worth (${megabits(targetMbps)})`;
}
