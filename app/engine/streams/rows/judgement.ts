import type { Thresholds } from '../../../protocol/thresholds';
import { type Verdict, worseVerdict } from '../../../protocol/verdict';
import { isoOf } from '../../clock';
import type { Span } from '../counting/range-counter';
import type { RangeCounts } from '../counting/range-counts';
import type { RangeTally } from '../counting/range-tally';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import { frames, pictures, speedText } from '../losses/texts';
import type { DiskSpeed } from '../stream';

/** What else has to be known to judge a stream's counts. */
export interface Circumstances {
  /** Highest CPU or GPU load of the sender's and the receiver's machine in the row; null where not measured. */
  senderLoadPercent: number | null;
  receiverLoadPercent: number | null;
  /** Of the movie's disk, when its pictures were last late. */
  lateDisk: DiskSpeed;
  /** Faults of the instrument itself, in words; any of them makes the row INVALID. */
  instrumentFaults: string[];
  /** Wall clock minus monotonic clock, so that a reason can tell when. */
  wallOffsetUs: number;
}

export interface Judgement {
  verdict: Verdict;
  reason: string;
  /** The sender itself missed frames: the study's red row. */
  senderMissed: boolean;
}

const clean: Judgement = { verdict: 'PASS', reason: 'no frame lost', senderMissed: false };

/** Verdict of one stream over one row, as docs/measurement.md defines it. */
export function judgeStream(
  counts: RangeCounts,
  thresholds: Thresholds,
  circumstances: Circumstances,
): Judgement {
  const { tally } = counts;
  const { SourceSkipped, SenderLate, SendBlocked, Injected } = tally.missCauses;
  const ownPacing = SourceSkipped + SenderLate;
  const saturated = (load: number | null): boolean => load !== null && load >= thresholds.saturatedPercent;
  const { Disk, Decode, Command } = tally.lateCauses;
  const senderFull = saturated(circumstances.senderLoadPercent);
  const senderLate = senderFull || Disk + Decode + Command > 0;
  const faults = [...circumstances.instrumentFaults];
  // Without all of the sender's records no sum can hold: their absence is what there is to tell.
  if (counts.unrecorded > 0) faults.push(`the sender left no record of ${frames(counts.unrecorded)}`);
  else if (!counts.conserved) faults.push('the sums of the stages do not agree');
  if (ownPacing > 0 && !senderLate) {
    faults.push(
      `our own pacing was late for ${frames(ownPacing)} while neither the sender’s machine nor its disk was at its limit`,
    );
  }
  if (counts.droppedReceiverQueue > 0 && !saturated(circumstances.receiverLoadPercent)) {
    faults.push(
      `we fetched ${frames(counts.droppedReceiverQueue)} too late while the receiver’s machine was not at its limit`,
    );
  }
  const senderMissed = SendBlocked + Injected + (senderLate ? ownPacing : 0) > 0;
  if (faults.length > 0) return { verdict: 'INVALID', reason: faults.join('; '), senderMissed };

  const lost = tally.lostFrames;
  const parts: string[] = [];
  const broken = (rule: string, at: Span | null): string => breachText(rule, at, circumstances.wallOffsetUs);
  const isTooMuch = lost > 0 && tally.worstWindowLost > thresholds.acceptableLostFrames;
  if (senderMissed)
    parts.push(
      missText(counts, circumstances, senderFull) + broken('the sender misses no frame', counts.missedAt),
    );
  if (counts.stalls > 0) parts.push(stallText(counts) + broken('no stall', counts.stalledAt));
  if (lost > 0) parts.push(lossText(counts) + (isTooMuch ? broken(lossRule(thresholds), counts.lostAt) : ''));
  if (tally.lateSource > 0) parts.push(lateText(tally, circumstances.lateDisk));
  let verdict: Verdict = 'PASS';
  if (lost > 0) verdict = isTooMuch ? 'FAIL' : 'WARN';
  if (counts.stalls > 0 || senderMissed) verdict = 'FAIL';
  return { verdict, reason: parts.join('; ') || clean.reason, senderMissed };
}

/**
 * Verdict of a stream whose frames carry no code: nobody knows what its sender sent, so that a loss is a loss, whoever's
 * it was. What could not be counted is no pass.
 */
export function judgeForeign(
  counts: ForeignCounts,
  thresholds: Thresholds,
  instrumentFaults: readonly string[],
  wallOffsetUs: number,
): Judgement {
  const senderMissed = false;
  if (instrumentFaults.length > 0)
    return { verdict: 'INVALID', reason: instrumentFaults.join('; '), senderMissed };
  const parts: string[] = [];
  const broken = (rule: string, at: Span | null): string => breachText(rule, at, wallOffsetUs);
  const isTooMuch = (counts.worstWindowLost ?? 0) > thresholds.acceptableLostFrames;
  if (counts.stalls > 0) parts.push(stallText(counts) + broken('no stall', counts.stalledAt));
  if (counts.missing === null) parts.push(`losses were not measured: ${counts.missingReason}`);
  else if (counts.missing > 0) {
    const rule = isTooMuch ? broken(lossRule(thresholds), counts.lostAt) : '';
    parts.push(`${frames(counts.missing)} missing, by ${counts.methodText}${rule}`);
  }
  if (counts.untoldBreaks > 0) parts.push(breaksText(counts.untoldBreaks));
  const { placeholders, greens } = counts;
  if (placeholders > 0)
    parts.push(`${pictures(placeholders)} came as the SDK’s placeholder for what it cannot decode`);
  if (greens > 0) parts.push(`${pictures(greens)} came solid green, as a missing codec leaves them`);
  const isDoubtful = counts.missing === null || counts.untoldBreaks + placeholders + greens > 0;
  let verdict: Verdict = isDoubtful ? 'WARN' : 'PASS';
  if (counts.missing !== null && counts.missing > 0) verdict = isTooMuch ? 'FAIL' : 'WARN';
  if (counts.stalls > 0 || placeholders > thresholds.acceptableLostFrames) verdict = 'FAIL';
  return { verdict, reason: parts.join('; ') || `no frame missing, by ${counts.methodText}`, senderMissed };
}

function lossRule({ acceptableLostFrames, lostWindowSeconds }: Thresholds): string {
  if (acceptableLostFrames === 0) return 'no frame lost';
  return `at most ${frames(acceptableLostFrames)} lost in any ${lostWindowSeconds} s`;
}

/** What a FAIL adds to its reason: the rule that was broken, and when. */
export function breachText(rule: string, at: Span | null, wallOffsetUs: number): string {
  const time = (atNs: number): string => isoOf(atNs, wallOffsetUs).slice(11, 23);
  const when = at ? `, broken from ${time(at.fromNs)} to ${time(at.toNs)} UTC` : '';
  return ` (rule: ${rule}${when})`;
}

function breaksText(breaks: number): string {
  const many = breaks === 1 ? 'once' : `${breaks} times`;
  return `the sender’s clock or format changed ${many}: what was missing meanwhile is not known`;
}

function stallText({ stalls, longestGapMs }: { stalls: number; longestGapMs: number }): string {
  return `stood still ${stalls === 1 ? 'once' : `${stalls} times`}, longest gap ${Math.round(longestGapMs)} ms`;
}

/** The verdict of a row is that of its worst stream; of equal ones the first that has something to say. */
export function worstOf(judgements: Judgement[]): Judgement {
  let worst = clean;
  for (const judgement of judgements) {
    const senderMissed = worst.senderMissed || judgement.senderMissed;
    const isWorse =
      worst.verdict === judgement.verdict
        ? worst.reason === clean.reason
        : worseVerdict(worst.verdict, judgement.verdict) === judgement.verdict;
    worst = { ...(isWorse ? judgement : worst), senderMissed };
  }
  return worst;
}

/** Why the movie's pictures were not ready; the one before was shown in the place of each. */
function lateText({ lateSource, lateCauses }: RangeTally, disk: DiskSpeed): string {
  const { Disk, Decode, Damaged, Command } = lateCauses;
  const untold = lateSource - Disk - Decode - Damaged - Command;
  const texts: [count: number, text: string][] = [
    [Disk, `came late from the disk${speedText([disk.rateMBps], [disk.neededMBps])}`],
    [Decode, 'came late, decoding took too long'],
    [Damaged, 'could not be read or decoded, the movie is damaged'],
    [Command, 'came late from ffmpeg, its disk or its decoding'],
    [untold, 'came late'],
  ];
  return texts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${pictures(count)} ${text}`)
    .join(', ');
}

function missText(counts: RangeCounts, circumstances: Circumstances, senderFull: boolean): string {
  const { missed, lateSource } = counts.tally;
  const { SendBlocked, Injected } = counts.tally.missCauses;
  const load = circumstances.senderLoadPercent;
  let cause =
    load === null
      ? 'the sender’s load was not measured'
      : `the sender’s machine was at ${Math.round(load)} %`;
  if (!senderFull && lateSource > 0) cause = 'its disk or its decoding was late';
  if (SendBlocked > 0) cause = 'the SDK’s send call had not returned (sdk-send-blocked)';
  if (Injected === missed) cause = 'injected on purpose';
  return `the sender missed ${frames(missed)}: ${cause}`;
}

function lossText(counts: RangeCounts): string {
  const { tally } = counts;
  const parts: string[] = [];
  const transport = tally.dropped - counts.droppedReceiverQueue;
  if (transport > 0)
    parts.push(`${frames(transport)} ${counts.attributed ? 'dropped in transport' : 'missing'}`);
  if (counts.droppedReceiverQueue > 0)
    parts.push(`${frames(counts.droppedReceiverQueue)} dropped in the receiver’s queue`);
  const undecodable = tally.matched + counts.undecodableUnmatched;
  if (undecodable > 0) parts.push(`${frames(undecodable)} undecodable`);
  if (tally.torn > 0) parts.push(`${frames(tally.torn)} torn`);
  if (tally.damaged > 0) parts.push(`${frames(tally.damaged)} damaged`);
  return `${parts.join(', ')} of ${tally.submitted}`;
}
