import type { Row } from '../../../protocol/row';
import type { Thresholds } from '../../../protocol/thresholds';
import { type Verdict, worseVerdict } from '../../../protocol/verdict';
import type { RangeTally } from '../counting/range-tally';
import type { RangeCounts } from '../counting/stream-ledger';
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
  const { SourceSkipped, SenderLate, SendBlocked, Injected, Untold } = tally.missCauses;
  const ownPacing = SourceSkipped + SenderLate;
  const saturated = (load: number | null): boolean => load !== null && load >= thresholds.saturatedPercent;
  const { Disk, Decode, Command } = tally.lateCauses;
  const senderFull = saturated(circumstances.senderLoadPercent);
  const senderLate = senderFull || Disk + Decode + Command > 0;
  const faults = [...circumstances.instrumentFaults];
  if (!counts.conserved) faults.push('the sums of the stages do not agree');
  if (counts.unrecorded > 0) faults.push(`the sender left no record of ${frames(counts.unrecorded)}`);
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
  const senderMissed = SendBlocked + Injected + Untold + (senderLate ? ownPacing : 0) > 0;
  if (faults.length > 0) return { verdict: 'INVALID', reason: faults.join('; '), senderMissed };

  const lost = tally.dropped + tally.matched + counts.undecodableUnmatched;
  const parts: string[] = [];
  if (senderMissed) parts.push(missText(counts, circumstances, senderFull));
  if (counts.stalls > 0)
    parts.push(
      `stood still ${counts.stalls === 1 ? 'once' : `${counts.stalls} times`}, longest gap ${Math.round(counts.longestGapMs)} ms`,
    );
  if (lost > 0) parts.push(lossText(counts));
  if (tally.lateSource > 0) parts.push(lateText(tally, circumstances.lateDisk));
  let verdict: Verdict = 'PASS';
  if (lost > 0) verdict = tally.worstWindowLost <= thresholds.acceptableLostFrames ? 'WARN' : 'FAIL';
  if (counts.stalls > 0 || senderMissed) verdict = 'FAIL';
  return { verdict, reason: parts.join('; ') || clean.reason, senderMissed };
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

/** The row whose reason a run's verdict gives: the first that did not pass, or whose pictures came late. */
export function rowToTell(rows: readonly Row[]): Row | undefined {
  return rows.find((row) => row.verdict !== 'PASS') ?? rows.find((row) => (row.framesLateSource ?? 0) > 0);
}

function frames(count: number): string {
  return count === 1 ? '1 frame' : `${count} frames`;
}

function pictures(count: number): string {
  return count === 1 ? '1 picture' : `${count} pictures`;
}

/** Why the movie's pictures were not ready; the one before was shown in the place of each. */
function lateText({ lateSource, lateCauses }: RangeTally, disk: DiskSpeed): string {
  const { Disk, Decode, Damaged, Command } = lateCauses;
  const untold = lateSource - Disk - Decode - Damaged - Command;
  const texts: [count: number, text: string][] = [
    [Disk, `came late from the disk${speedText(disk)}`],
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

function speedText({ rateMBps, neededMBps }: DiskSpeed): string {
  if (rateMBps === null || neededMBps === null) return '';
  return ` (${figure(rateMBps)} MB/s of ${figure(neededMBps)} MB/s needed)`;
}

/** Two digits at least. */
function figure(value: number): string {
  return value < 10 ? value.toPrecision(2) : value.toFixed(0);
}

function missText(counts: RangeCounts, circumstances: Circumstances, senderFull: boolean): string {
  const { missed, lateSource } = counts.tally;
  const { SendBlocked, Injected, Untold } = counts.tally.missCauses;
  const load = circumstances.senderLoadPercent;
  let cause =
    load === null
      ? 'the sender’s load was not measured'
      : `the sender’s machine was at ${Math.round(load)} %`;
  if (!senderFull && lateSource > 0) cause = 'its disk or its decoding was late';
  if (SendBlocked > 0) cause = 'the SDK’s send call had not returned (sdk-send-blocked)';
  if (Untold > 0) cause = 'the sender tells no cause';
  if (Injected === missed) cause = 'injected on purpose';
  return `the sender missed ${frames(missed)}: ${cause}`;
}

function lossText(counts: RangeCounts): string {
  const { tally } = counts;
  const parts: string[] = [];
  const transport = tally.dropped - counts.droppedReceiverQueue;
  if (transport > 0) parts.push(`${frames(transport)} dropped in transport`);
  if (counts.droppedReceiverQueue > 0)
    parts.push(`${frames(counts.droppedReceiverQueue)} dropped in the receiver’s queue`);
  const undecodable = tally.matched + counts.undecodableUnmatched;
  if (undecodable > 0) parts.push(`${frames(undecodable)} undecodable`);
  return `${parts.join(', ')} of ${tally.submitted}`;
}
