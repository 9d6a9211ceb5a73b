import type { Fact } from '../../facts/fact';
import { type Finding, type JudgedRow, judgeRow, type RowEvidence } from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { Verdict } from '../../facts/verdict';
import type { LinkParameters } from './declaration';
import { threadsOf } from './iperf-threads';
import type { LineRate } from './line-rate';
import type { Doubt } from './reasons';

/** What the figures of a row prove. INVALID: nothing about the link, because one end may have been full. */
export interface Judgement {
  verdict: Verdict;
  fact: Fact;
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

export function judgeLink(
  { verdict: found, fact, isRemark = false }: Judgement,
  { isLoopback, short = [], ...evidence }: LinkEvidence,
): JudgedRow {
  // What this machine loses on the way to itself is its own doing.
  const isOwnLoss = isLoopback && found === 'FAIL';
  const verdict = isLoopback ? 'WARN' : found;
  const kind = isRemark || isLoopback ? 'remark' : 'loss';
  const findings: Finding[] =
    found === 'INVALID' || verdict === 'PASS' || verdict === 'INVALID' ? [] : [{ verdict, fact, kind }];
  const about = reasonOf('over-loopback');
  if (isLoopback && !isOwnLoss) findings.push({ verdict: 'WARN', fact: about, kind: 'remark' });
  const absent = isOwnLoss ? [about] : found === 'INVALID' ? [fact] : [];
  const row = judgeRow({ ...evidence, absent, findings, good: [fact] });
  const isInvalid = row.verdict === 'INVALID';
  return { ...row, reason: isInvalid ? [...row.reason, ...short] : [...short, ...row.reason] };
}

/** A single thread takes no more of a core, by iperf3’s coarse clock. */
const oneCorePercent = 110;

type End = 'here' | 'there' | 'any';

/** Whose processor was full, or may have been; null: none was seen to be. */
export function saturation(figures: LinkFigures, { saturatedPercent }: LinkLimits, end: End): Doubt | null {
  const { machineCpuPercent, streams, version, cores } = figures;
  const [localCpuPercent, remoteCpuPercent] = [figures.localCpuPercent ?? 0, figures.remoteCpuPercent ?? 0];
  const threadsHere = threadsOf(version, streams, cores);
  const here = { doubtEnd: 'here', doubtPercent: localCpuPercent, doubtThreads: threadsHere } as const;
  if (end !== 'there' && localCpuPercent >= saturatedPercent * threadsHere)
    return { doubt: 'iperf3', ...here };
  if (end !== 'there' && machineCpuPercent !== null && machineCpuPercent >= saturatedPercent)
    return { doubt: 'machine', doubtPercent: machineCpuPercent };
  if (end === 'here') return null;
  const threadsThere = threadsOf(version, streams, null);
  const there = { doubtEnd: 'there', doubtPercent: remoteCpuPercent } as const;
  if (remoteCpuPercent >= saturatedPercent * threadsThere)
    return { doubt: 'iperf3', ...there, doubtThreads: threadsThere };
  const mayBeOneThread =
    threadsThere > 1 && remoteCpuPercent > saturatedPercent && remoteCpuPercent <= oneCorePercent;
  return mayBeOneThread ? { doubt: 'one-thread', ...there, doubtThreads: 1 } : null;
}

/** The same, and whether it is not known. */
export function doubt(figures: LinkFigures, limits: LinkLimits, end: End): Doubt | null {
  const full = saturation(figures, limits, end);
  if (full !== null) return full;
  if (end !== 'there' && figures.machineCpuPercent === null) return { doubt: 'machine-not-measured' };
  if (end !== 'there' && figures.localCpuPercent === null) return { doubt: 'cpu-here-not-reported' };
  return end !== 'here' && figures.remoteCpuPercent === null ? { doubt: 'cpu-there-not-reported' } : null;
}

export const nothingArrived: Judgement = { verdict: 'INVALID', fact: reasonOf('arrived-unreported') };

/** TCP is compared with the speed of the link. */
export function judgeTcp(figures: LinkFigures, rate: LineRate, limits: LinkLimits): Judgement {
  const { throughputMbps } = figures;
  if (throughputMbps === null) return nothingArrived;
  if (rate.mbps === null)
    return {
      ...{ verdict: 'WARN', isRemark: true },
      fact: reasonOf('link-speed-unknown', { throughputMbps, why: rate.source }),
    };
  const percent = (100 * throughputMbps) / rate.mbps;
  const share = { throughputMbps, percent, linkMbps: rate.mbps };
  if (percent >= limits.passPercent) return { verdict: 'PASS', fact: reasonOf('link-reached', share) };
  const why = doubt(figures, limits, 'any');
  if (why) return { verdict: 'INVALID', fact: reasonOf('link-not-filled', { ...share, ...why }) };
  const fact = reasonOf('link-reached', { ...share, wantedPercent: limits.passPercent });
  return { verdict: percent >= limits.warnPercent ? 'WARN' : 'FAIL', fact };
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
export const reachedShare = 0.9;

/** From this share on, the loss happened on this machine and proves nothing about the link. */
const overflowShare = 0.1;

/** What of the loss is this machine's own doing, or may be; null: nothing. */
function overflow({ datagramsOverflowed: overflowed, datagramsLost: lost, receiver }: UdpLoss) {
  const isLinks = overflowed !== null && overflowed <= overflowShare * lost;
  return receiver === 'there' || isLinks ? null : { overflowed, lost };
}

/** What is to be said of a loss, or of one that is not known; null: nothing was lost. */
export function judgeLoss(figures: LinkFigures, loss: UdpLoss, limits: LinkLimits): Judgement | null {
  const { lossPercent, datagramsSent, receiver } = loss;
  if (lossPercent === null) return { verdict: 'INVALID', fact: reasonOf('loss-unreported') };
  if (datagramsSent === 0) return { verdict: 'INVALID', fact: reasonOf('no-datagram-sent') };
  if (lossPercent === 0) return null;
  const lost = { lossPercent, sentMbps: figures.sentMbps };
  const why = doubt(figures, limits, receiver);
  if (why) return { verdict: 'INVALID', fact: reasonOf('datagrams-lost-at-an-end', { ...lost, ...why }) };
  const overflowed = overflow(loss);
  if (overflowed)
    return { verdict: 'INVALID', fact: reasonOf('datagrams-overflowed', { ...lost, ...overflowed }) };
  const { maxLossPercent } = limits;
  return lossPercent <= maxLossPercent
    ? { verdict: 'WARN', fact: reasonOf('datagrams-lost', { ...lost, maxLossPercent, isSmall: true }) }
    : { verdict: 'FAIL', fact: reasonOf('datagrams-lost', { ...lost, maxLossPercent }) };
}

/** UDP is compared with what was sent. */
export function judgeUdp(figures: LinkFigures, loss: UdpLoss, limits: LinkLimits): Judgement {
  const found = judgeLoss(figures, loss, limits);
  if (found) return found;
  const { sentMbps } = figures;
  const { targetMbps } = loss;
  const none = reasonOf('no-datagram-lost', { sentMbps });
  if (sentMbps === null) return { verdict: 'WARN', isRemark: true, fact: none };
  if (sentMbps >= reachedShare * targetMbps) return { verdict: 'PASS', fact: none };
  const why = saturation(figures, limits, 'any') ?? senderSlow;
  return {
    ...{ verdict: 'WARN', isRemark: true },
    fact: reasonOf('no-datagram-lost-of-fewer', { sentMbps, targetMbps, ...why }),
  };
}

export const senderSlow: Doubt = { doubt: 'sender' };
