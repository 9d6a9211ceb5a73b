import type { Thresholds } from '../../protocol/thresholds';
import { type Verdict, worseVerdict } from '../../protocol/verdict';
import type { RangeCounts } from './stream-ledger';

/** What else has to be known to judge a stream's counts. */
export interface Circumstances {
  /** Highest CPU or GPU load of the sender's and the receiver's machine in the row; null where not measured. */
  senderLoadPercent: number | null;
  receiverLoadPercent: number | null;
  /** Faults of the instrument itself, in words; any of them makes the row INVALID. */
  instrumentFaults: string[];
}

export interface Judgement {
  verdict: Verdict;
  reason: string;
  /** The sender itself missed frames: the study's red row. */
  senderMissed: boolean;
}

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
  const faults = [...circumstances.instrumentFaults];
  if (!counts.conserved) faults.push('the sums of the stages do not agree');
  if (counts.unrecorded > 0) faults.push(`the sender left no record of ${frames(counts.unrecorded)}`);
  if (ownPacing > 0 && !saturated(circumstances.senderLoadPercent)) {
    faults.push(
      `our own pacing was late for ${frames(ownPacing)} while the sender’s machine was not at its limit`,
    );
  }
  if (counts.droppedReceiverQueue > 0 && !saturated(circumstances.receiverLoadPercent)) {
    faults.push(
      `we fetched ${frames(counts.droppedReceiverQueue)} too late while the receiver’s machine was not at its limit`,
    );
  }
  const senderMissed =
    SendBlocked + Injected + Untold + (saturated(circumstances.senderLoadPercent) ? ownPacing : 0) > 0;
  if (faults.length > 0) return { verdict: 'INVALID', reason: faults.join('; '), senderMissed };

  const lost = tally.dropped + tally.matched + counts.undecodableUnmatched;
  const parts: string[] = [];
  if (senderMissed) parts.push(missText(tally.missed, counts, circumstances));
  if (counts.stalls > 0)
    parts.push(
      `stood still ${counts.stalls === 1 ? 'once' : `${counts.stalls} times`}, longest gap ${Math.round(counts.longestGapMs)} ms`,
    );
  if (lost > 0) parts.push(lossText(counts));
  if (tally.lateSource > 0)
    parts.push(`${frames(tally.lateSource)} showed the picture before, the movie was late`);
  let verdict: Verdict = 'PASS';
  if (lost > 0) verdict = tally.worstWindowLost <= thresholds.acceptableLostFrames ? 'WARN' : 'FAIL';
  if (counts.stalls > 0 || senderMissed) verdict = 'FAIL';
  return { verdict, reason: parts.join('; ') || 'no frame lost', senderMissed };
}

/** The verdict of a row is that of its worst stream. */
export function worstOf(judgements: Judgement[]): Judgement {
  let worst: Judgement = { verdict: 'PASS', reason: 'no frame lost', senderMissed: false };
  for (const judgement of judgements) {
    const senderMissed = worst.senderMissed || judgement.senderMissed;
    const isWorse =
      worst.verdict !== judgement.verdict &&
      worseVerdict(worst.verdict, judgement.verdict) === judgement.verdict;
    worst = { ...(isWorse ? judgement : worst), senderMissed };
  }
  return worst;
}

function frames(count: number): string {
  return count === 1 ? '1 frame' : `${count} frames`;
}

function missText(missed: number, counts: RangeCounts, circumstances: Circumstances): string {
  const { SendBlocked, Injected, Untold } = counts.tally.missCauses;
  const load = circumstances.senderLoadPercent;
  let cause =
    load === null
      ? 'the sender’s load was not measured'
      : `the sender’s machine was at ${Math.round(load)} %`;
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
