import { type Fact, sentence } from '../../facts/fact';
import { type Finding, type JudgedRow, judgeRow, type RowEvidence } from '../../facts/precedence';
import type { Verdict } from '../../facts/verdict';
import type { LinkParameters } from './declaration';
import { threadsOf } from './iperf-threads';
import type { LineRate } from './line-rate';

/** What the figures of a row say. INVALID: nothing of the link, since one end may have been full. */
export interface Judgement {
  verdict: Verdict;
  reason: string;
  /** True whatever the instrument missed meanwhile. */
  isRemark?: boolean;
}

/** What a row is judged by beside its figures. */
export interface LinkEvidence extends Pick<RowEvidence, 'contradictions' | 'guards' | 'restsOnGuards'> {
  isLoopback: boolean;
  /** Fewer repeats than asked for. */
  short?: readonly Fact[];
}

/** Means over a row's repeats, as far as its verdict rests on them; null: iperf3 does not report it. */
export interface LinkFigures {
  throughputMbps: number | null;
  sentMbps: number | null;
  /** Of the whole machine here, % of all cores; null: no load sample fell into a repeat or just before it. */
  machineCpuPercent: number | null;
  /** Of iperf3 at the two ends, % of one core. */
  localCpuPercent: number | null;
  remoteCpuPercent: number | null;
  streams: number;
  /** Of iperf3 here. */
  version: string | null;
  /** Of this machine. */
  cores: number;
}

export interface LinkLimits extends Pick<LinkParameters, 'passPercent' | 'warnPercent' | 'maxLossPercent'> {
  saturatedPercent: number;
}

export const overLoopback =
  'over loopback on this one machine: this is what its processors carry, and nothing of a link';

export function judgeLink(
  { verdict: found, reason, isRemark = false }: Judgement,
  { isLoopback, short = [], ...evidence }: LinkEvidence,
): JudgedRow {
  const said = sentence(reason);
  // What this machine loses on the way to itself is its own doing.
  const isOwnLoss = isLoopback && found === 'FAIL';
  const verdict = isLoopback ? 'WARN' : found;
  const kind = isRemark || isLoopback ? 'remark' : 'loss';
  const findings: Finding[] =
    found === 'INVALID' || verdict === 'PASS' || verdict === 'INVALID'
      ? []
      : said.map((fact) => ({ verdict, fact, kind }));
  const about = isLoopback ? sentence(overLoopback) : [];
  if (!isOwnLoss) for (const fact of about) findings.push({ verdict: 'WARN', fact, kind: 'remark' });
  const absent = isOwnLoss ? about : found === 'INVALID' ? said : [];
  const row = judgeRow({ ...evidence, absent, findings, good: said });
  const isInvalid = row.verdict === 'INVALID';
  return { ...row, reason: isInvalid ? [...row.reason, ...short] : [...short, ...row.reason] };
}

export const megabits = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} Mb/s`;

/** A single thread takes no more of a core, by iperf3’s coarse clock. */
const oneCorePercent = 110;

type End = 'here' | 'there' | 'any';

/** Whose processor was full, or may have been, as words; null: none was seen to be. */
export function saturation(figures: LinkFigures, { saturatedPercent }: LinkLimits, end: End): string | null {
  const { machineCpuPercent, streams, version, cores } = figures;
  const [localCpuPercent, remoteCpuPercent] = [figures.localCpuPercent ?? 0, figures.remoteCpuPercent ?? 0];
  const threadsHere = threadsOf(version, streams, cores);
  if (end !== 'there' && localCpuPercent >= saturatedPercent * threadsHere)
    return fullText('here', localCpuPercent, threadsHere);
  if (end !== 'there' && machineCpuPercent !== null && machineCpuPercent >= saturatedPercent)
    return `this machine’s processors were ${machineCpuPercent.toFixed(0)} % busy`;
  if (end === 'here') return null;
  const threadsThere = threadsOf(version, streams, null);
  if (remoteCpuPercent >= saturatedPercent * threadsThere)
    return fullText('on the other host', remoteCpuPercent, threadsThere);
  const mayBeOneThread =
    threadsThere > 1 && remoteCpuPercent > saturatedPercent && remoteCpuPercent <= oneCorePercent;
  return mayBeOneThread
    ? `${fullText('on the other host', remoteCpuPercent, 1)}, which is all of it where its version is before 3.16`
    : null;
}

function fullText(where: string, percent: number, threads: number): string {
  const ofEach =
    threads > 1 ? `, ${(percent / threads).toFixed(0)} % for each of its ${threads} threads` : '';
  return `iperf3 ${where} took ${percent.toFixed(0)} % of a core${ofEach}`;
}

/** The same, and whether it is not known. */
export function doubt(figures: LinkFigures, limits: LinkLimits, end: End): string | null {
  const full = saturation(figures, limits, end);
  if (full !== null) return full;
  if (end !== 'there' && figures.machineCpuPercent === null) return 'this machine’s load was not measured';
  if (end !== 'there' && figures.localCpuPercent === null) return 'iperf3 here does not report its CPU';
  return end !== 'here' && figures.remoteCpuPercent === null
    ? 'iperf3 does not report its CPU on the other host'
    : null;
}

export const nothingArrived: Judgement = {
  verdict: 'INVALID',
  reason: 'iperf3 does not report how much arrived',
};

/** TCP is compared with the speed of the link. */
export function judgeTcp(figures: LinkFigures, rate: LineRate, limits: LinkLimits): Judgement {
  if (figures.throughputMbps === null) return nothingArrived;
  const reached = megabits(figures.throughputMbps);
  if (rate.mbps === null)
    return {
      ...{ verdict: 'WARN', isRemark: true },
      reason: `${reached}; the link’s speed is not known (${rate.source}), so nothing says how much it should reach`,
    };
  const percent = (100 * figures.throughputMbps) / rate.mbps;
  const shareOf = (whose: string): string =>
    `${reached}, ${percent.toFixed(1)} % of ${whose} ${rate.mbps} Mb/s`;
  const share = shareOf('the link’s');
  if (percent >= limits.passPercent) return { verdict: 'PASS', reason: share };
  const why = doubt(figures, limits, 'any');
  if (why) return { verdict: 'INVALID', reason: `${why}: the link may carry more than ${shareOf('its')}` };
  const limit = `${share} (${limits.passPercent} % wanted)`;
  return { verdict: percent >= limits.warnPercent ? 'WARN' : 'FAIL', reason: limit };
}

export interface UdpLoss {
  /** Null: iperf3 does not report it. */
  lossPercent: number | null;
  datagramsSent: number;
  datagramsLost: number;
  /**
   * By this machine since a socket's buffer was full, whichever program's: it may be more than what was lost. Null: the
   * system does not report it.
   */
  datagramsOverflowed: number | null;
  targetMbps: number;
  /** The end whose processor can lose datagrams that the link delivered. */
  receiver: 'here' | 'there';
}

/** A sender that stays further below its target was not held back by the link alone. */
const reachedShare = 0.9;

/** From this share of the loss on, it was lost on this machine and says nothing of the link. */
const overflowShare = 0.1;

/** What of the loss is this machine's own doing, or may be, as words; null: nothing. */
function overflow({ datagramsOverflowed, datagramsLost, receiver }: UdpLoss): string | null {
  if (receiver === 'there') return null;
  if (datagramsOverflowed === null)
    return 'how many datagrams overflowed this machine’s buffers is not reported';
  if (datagramsOverflowed <= overflowShare * datagramsLost) return null;
  if (datagramsOverflowed <= datagramsLost)
    return `${datagramsOverflowed} of ${datagramsLost} lost datagrams came and overflowed this machine’s buffers`;
  return `${datagramsOverflowed} datagrams of all programs overflowed this machine’s buffers, while ${datagramsLost} were lost`;
}

/** What is to be said of a loss, or of one that is not known; null: nothing was lost. */
export function judgeLoss(figures: LinkFigures, loss: UdpLoss, limits: LinkLimits): Judgement | null {
  const { lossPercent, datagramsSent, receiver } = loss;
  if (lossPercent === null) return { verdict: 'INVALID', reason: 'iperf3 does not report what was lost' };
  if (datagramsSent === 0) return { verdict: 'INVALID', reason: 'no datagram was sent' };
  if (lossPercent === 0) return null;
  const at = figures.sentMbps === null ? 'an unknown rate' : megabits(figures.sentMbps);
  const lost = `${lossPercent < 0.001 ? 'less than 0.001' : lossPercent.toFixed(3)} % of the datagrams lost at ${at}`;
  const why = doubt(figures, limits, receiver);
  if (why) return { verdict: 'INVALID', reason: `${why}: datagrams may have been lost there; ${lost}` };
  const overflowed = overflow(loss);
  if (overflowed) return { verdict: 'INVALID', reason: `${overflowed}: ${lost}` };
  const isSmall = lossPercent <= limits.maxLossPercent;
  return isSmall
    ? { verdict: 'WARN', reason: `${lost} (PASS only without loss, FAIL above ${limits.maxLossPercent} %)` }
    : { verdict: 'FAIL', reason: `${lost} (FAIL above ${limits.maxLossPercent} %)` };
}

/** UDP is compared with what was sent. */
export function judgeUdp(figures: LinkFigures, loss: UdpLoss, limits: LinkLimits): Judgement {
  const found = judgeLoss(figures, loss, limits);
  if (found) return found;
  if (figures.sentMbps === null)
    return {
      verdict: 'WARN',
      isRemark: true,
      reason: 'no datagram lost; iperf3 does not report how much was sent',
    };
  const sent = megabits(figures.sentMbps);
  if (figures.sentMbps >= reachedShare * loss.targetMbps)
    return { verdict: 'PASS', reason: `no datagram lost at ${sent}` };
  const full = saturation(figures, limits, 'any') ?? senderSlow;
  return {
    ...{ verdict: 'WARN', isRemark: true },
    reason: `no datagram lost, but ${sent} of ${megabits(loss.targetMbps)} were sent: ${full}`,
  };
}

export const senderSlow = 'the sender could not keep its rate';
