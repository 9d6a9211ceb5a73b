import type { LinkParameters } from '../../../protocol/experiments/link/declaration';
import type { Verdict } from '../../../protocol/verdict';
import type { LineRate } from './line-rate';

export interface Judgement {
  verdict: Verdict;
  reason: string;
}

/** Means over a row's repeats, as far as its verdict rests on them. */
export interface LinkFigures {
  throughputMbps: number;
  sentMbps: number;
  /** Of the whole machine here, % of all cores; null: no load sample fell into a repeat. */
  machineCpuPercent: number | null;
  /** Of iperf3 at the two ends, % of one core. */
  localCpuPercent: number;
  remoteCpuPercent: number;
}

export interface LinkLimits extends Pick<LinkParameters, 'passPercent' | 'warnPercent' | 'maxLossPercent'> {
  saturatedPercent: number;
}

export const overLoopback =
  'over loopback on this one machine: this is what its processors carry, and nothing of a link';

const megabits = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} Mb/s`;

/** Whose processor was full, as words; null: none was. */
function saturation(figures: LinkFigures, { saturatedPercent }: LinkLimits, end: 'here' | 'there' | 'any') {
  const { machineCpuPercent, localCpuPercent, remoteCpuPercent } = figures;
  if (end !== 'there' && localCpuPercent >= saturatedPercent)
    return `iperf3 here took ${localCpuPercent.toFixed(0)} % of a core`;
  if (end !== 'there' && machineCpuPercent !== null && machineCpuPercent >= saturatedPercent)
    return `this machine’s processors were ${machineCpuPercent.toFixed(0)} % busy`;
  if (end !== 'here' && remoteCpuPercent >= saturatedPercent)
    return `iperf3 on the other host took ${remoteCpuPercent.toFixed(0)} % of a core`;
  return null;
}

/** TCP is held against the speed of the link. */
export function judgeTcp(figures: LinkFigures, rate: LineRate, limits: LinkLimits): Judgement {
  const reached = megabits(figures.throughputMbps);
  if (rate.mbps === null)
    return {
      verdict: 'WARN',
      reason: `${reached}, which nothing can be held against: the link’s speed is not known (${rate.source})`,
    };
  const percent = (100 * figures.throughputMbps) / rate.mbps;
  const share = `${reached}, ${percent.toFixed(1)} % of the link’s ${rate.mbps} Mb/s`;
  if (percent >= limits.passPercent) return { verdict: 'PASS', reason: share };
  const full = saturation(figures, limits, 'any');
  if (full) return { verdict: 'INVALID', reason: `${share}, but ${full}: the link may carry more` };
  const limit = `${share} (${limits.passPercent} % wanted)`;
  return { verdict: percent >= limits.warnPercent ? 'WARN' : 'FAIL', reason: limit };
}

export interface UdpLoss {
  lossPercent: number;
  datagramsLost: number;
  /** By this machine since a socket's buffer was full, whichever program's: it may be more than what was lost. */
  datagramsOverflowed: number;
  targetMbps: number;
  /** The end whose processor can lose datagrams that the link delivered. */
  receiver: 'here' | 'there';
}

/** A sender that stays further below its target was not held back by the link alone. */
const reachedShare = 0.9;

function overflowed({ datagramsOverflowed, datagramsLost }: UdpLoss): string {
  if (datagramsOverflowed <= datagramsLost)
    return `of which ${datagramsOverflowed} of ${datagramsLost} came and overflowed this machine’s buffers`;
  return `${datagramsLost} in all, while ${datagramsOverflowed} of all programs overflowed this machine’s buffers`;
}

/** From this share of the loss on, it was lost on this machine and says nothing of the link. */
const overflowShare = 0.1;

/** UDP is held against what was sent. */
export function judgeUdp(figures: LinkFigures, loss: UdpLoss, limits: LinkLimits): Judgement {
  const { lossPercent, datagramsLost, datagramsOverflowed, targetMbps, receiver } = loss;
  const sent = megabits(figures.sentMbps);
  if (lossPercent > 0) {
    const lost = `${lossPercent < 0.001 ? 'less than 0.001' : lossPercent.toFixed(3)} % of the datagrams lost at ${sent}`;
    const full = saturation(figures, limits, receiver);
    if (full) return { verdict: 'INVALID', reason: `${lost}, but ${full}: they may have been lost there` };
    if (receiver === 'here' && datagramsOverflowed > overflowShare * datagramsLost)
      return {
        verdict: 'INVALID',
        reason: `${lost}, ${overflowed(loss)}`,
      };
    const isSmall = lossPercent <= limits.maxLossPercent;
    return isSmall
      ? { verdict: 'WARN', reason: `${lost} (PASS only without loss, FAIL above ${limits.maxLossPercent} %)` }
      : { verdict: 'FAIL', reason: `${lost} (FAIL above ${limits.maxLossPercent} %)` };
  }
  if (figures.sentMbps >= reachedShare * targetMbps)
    return { verdict: 'PASS', reason: `no datagram lost at ${sent}` };
  const full = saturation(figures, limits, 'any') ?? 'the sender could not keep its rate';
  return {
    verdict: 'WARN',
    reason: `no datagram lost, but ${sent} of ${megabits(targetMbps)} were sent: ${full}`,
  };
}
