import type { Fact, FactData } from '../../../protocol/fact';
import { type RuleCode, reasonOf } from '../../../protocol/reason-words';
import type { Thresholds } from '../../../protocol/thresholds';
import { type Verdict, worseVerdict } from '../../../protocol/verdict';
import { isoOf } from '../../clock';
import type { Span } from '../counting/range-counter';
import type { RangeCounts } from '../counting/range-counts';
import type { RangeTally } from '../counting/range-tally';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import type { DiskSpeed } from '../stream';

/** What else has to be known to judge a stream's counts. */
export interface Circumstances {
  /** Highest CPU or GPU load of the sender's machine, while it missed frames where it did, and of the receiver's, while its queue
   *  dropped frames where it did; otherwise in the row. Null where not measured. */
  senderLoadPercent: number | null;
  receiverLoadPercent: number | null;
  /** Mean CPU load of the sender's machine that is not our processes'. */
  senderOthersPercent: number | null;
  /** Of the movie's disk, when its pictures were last late. */
  lateDisk: DiskSpeed;
  /** Faults of the instrument itself; any of them makes the row INVALID. */
  instrumentFaults: readonly Fact[];
  /** Wall clock minus monotonic clock, so that a reason can say when. */
  wallOffsetUs: number;
}

export interface Judgement {
  verdict: Verdict;
  reason: readonly Fact[];
  /** The sender itself missed frames: the study's red row. */
  senderMissed: boolean;
}

const clean: Judgement = { verdict: 'PASS', reason: [reasonOf('no-frame-lost')], senderMissed: false };

function hasNothingToSay({ reason }: Judgement): boolean {
  return reason[0]?.code === 'no-frame-lost' || reason[0]?.code === 'no-frame-missed';
}

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
  // Without all of the sender's records no sum can hold: their absence is what there is to say.
  if (counts.unrecorded > 0) faults.push(reasonOf('records-missing', { frames: counts.unrecorded }));
  else if (!counts.conserved) faults.push(reasonOf('sums-disagree'));
  if (ownPacing > 0 && !senderLate) faults.push(reasonOf('pacing-late', { frames: ownPacing }));
  if (counts.droppedReceiverQueue > 0 && !saturated(circumstances.receiverLoadPercent))
    faults.push(reasonOf('fetched-late', { frames: counts.droppedReceiverQueue }));
  const senderMissed = SendBlocked + Injected + (senderLate ? ownPacing : 0) > 0;
  if (faults.length > 0) return { verdict: 'INVALID', reason: faults, senderMissed };

  const lost = tally.lostFrames;
  const reason: Fact[] = [];
  const { wallOffsetUs } = circumstances;
  const isTooMuch = lost > 0 && tally.worstWindowLost > thresholds.acceptableLostFrames;
  if (senderMissed)
    reason.push(
      reasonOf('frames-missed', {
        ...missedData(counts, circumstances, senderFull),
        ...brokenRule('no-miss', counts.missedAt, wallOffsetUs),
      }),
    );
  if (counts.stalls > 0) reason.push(stallReason(counts, wallOffsetUs));
  if (lost > 0)
    reason.push(
      reasonOf('frames-lost', {
        ...lostData(counts),
        ...(isTooMuch && brokenLossRule(thresholds, counts.lostAt, wallOffsetUs)),
      }),
    );
  if (tally.lateSource > 0)
    reason.push(reasonOf('pictures-late', { ...lateData(tally), ...circumstances.lateDisk }));
  let verdict: Verdict = 'PASS';
  if (lost > 0) verdict = isTooMuch ? 'FAIL' : 'WARN';
  if (counts.stalls > 0 || senderMissed) verdict = 'FAIL';
  return { verdict, reason: reason.length > 0 ? reason : clean.reason, senderMissed };
}

/**
 * Verdict of a stream whose frames carry no code: it is not known what its sender sent, so that a loss is a
 * loss, wherever it was. What could not be counted is no pass.
 */
export function judgeForeign(
  counts: ForeignCounts,
  thresholds: Thresholds,
  instrumentFaults: readonly Fact[],
  wallOffsetUs: number,
): Judgement {
  const senderMissed = false;
  if (instrumentFaults.length > 0) return { verdict: 'INVALID', reason: instrumentFaults, senderMissed };
  const reason: Fact[] = [];
  const isTooMuch = (counts.worstWindowLost ?? 0) > thresholds.acceptableLostFrames;
  const { missing, missingReason, methodText: method, unreportedBreaks, placeholders, greens } = counts;
  const { times: silences, longestNs } = counts.silences.connected;
  if (counts.stalls > 0) reason.push(stallReason(counts, wallOffsetUs));
  if (missing !== null && missing > 0) {
    const rule = isTooMuch && brokenLossRule(thresholds, counts.lostAt, wallOffsetUs);
    reason.push(reasonOf('frames-missing', { frames: missing, method, ...rule }));
  }
  if (silences > 0)
    reason.push(reasonOf('sender-silent', { times: silences, longestSeconds: longestNs / 1e9 }));
  else if (missingReason !== '' && unreportedBreaks === 0)
    reason.push(reasonOf('losses-not-measured', { why: missingReason }));
  if (unreportedBreaks > 0) reason.push(reasonOf('sender-changed', { times: unreportedBreaks }));
  if (placeholders > 0) reason.push(reasonOf('placeholders', { pictures: placeholders }));
  if (greens > 0) reason.push(reasonOf('green-pictures', { pictures: greens }));
  const isDoubtful = missingReason !== '' || silences + unreportedBreaks + placeholders + greens > 0;
  let verdict: Verdict = isDoubtful ? 'WARN' : 'PASS';
  if (missing !== null && missing > 0) verdict = isTooMuch ? 'FAIL' : 'WARN';
  if (counts.stalls > 0 || placeholders > thresholds.acceptableLostFrames) verdict = 'FAIL';
  if (reason.length === 0) reason.push(reasonOf('no-frame-missing', { method }));
  return { verdict, reason, senderMissed };
}

/** What a FAIL adds to its reason: the rule that was broken, with its limits, and when. */
export function brokenRule(
  rule: RuleCode,
  at: Span | null,
  wallOffsetUs: number,
  limits: FactData = {},
): FactData {
  return {
    ...{ rule, ...limits },
    ...(at && { brokenFrom: isoOf(at.fromNs, wallOffsetUs), brokenTo: isoOf(at.toNs, wallOffsetUs) }),
  };
}

function brokenLossRule(
  { acceptableLostFrames: mostFrames, lostWindowSeconds: windowSeconds }: Thresholds,
  at: Span | null,
  wallOffsetUs: number,
): FactData {
  if (mostFrames === 0) return brokenRule('no-loss', at, wallOffsetUs);
  return brokenRule('most-lost', at, wallOffsetUs, { mostFrames, windowSeconds });
}

function stallReason(
  { stalls, longestGapMs, stalledAt }: Pick<RangeCounts, 'stalls' | 'longestGapMs' | 'stalledAt'>,
  wallOffsetUs: number,
): Fact {
  return reasonOf('stalls', { stalls, longestGapMs, ...brokenRule('no-stall', stalledAt, wallOffsetUs) });
}

/** The verdict of a row is that of its worst stream; of equal ones the first that has something to say. */
export function worstOf(judgements: Judgement[]): Judgement {
  let worst = clean;
  for (const judgement of judgements) {
    const senderMissed = worst.senderMissed || judgement.senderMissed;
    const isWorse =
      worst.verdict === judgement.verdict
        ? hasNothingToSay(worst)
        : worseVerdict(worst.verdict, judgement.verdict) === judgement.verdict;
    worst = { ...(isWorse ? judgement : worst), senderMissed };
  }
  return worst;
}

/** Why the movie's pictures were not ready; the one before was shown in the place of each. */
function lateData({ lateSource, lateCauses }: RangeTally): FactData {
  const { Disk: disk, Decode: decode, Damaged: damaged, Command: ffmpeg } = lateCauses;
  return { disk, decode, damaged, ffmpeg, unknown: lateSource - disk - decode - damaged - ffmpeg };
}

function missedData(
  { tally }: RangeCounts,
  { senderLoadPercent: loadPercent, senderOthersPercent: othersPercent }: Circumstances,
  senderFull: boolean,
): FactData {
  const { SourceSkipped, SenderLate, SendBlocked, Injected } = tally.missCauses;
  let cause = 'load';
  if (!senderFull && tally.lateSource > 0) cause = 'source';
  if (SendBlocked > 0 && SendBlocked >= SourceSkipped + SenderLate) cause = 'sdk-send-blocked';
  if (Injected === tally.missed) cause = 'injected';
  return { frames: tally.missed, cause, loadPercent, othersPercent };
}

function lostData({ tally, droppedReceiverQueue, undecodableUnmatched, attributed }: RangeCounts): FactData {
  const { spoilt, submitted } = tally;
  return {
    ...{ transport: tally.dropped - droppedReceiverQueue, isAttributed: attributed },
    ...{ receiverQueue: droppedReceiverQueue, undecodable: tally.matched + undecodableUnmatched },
    ...spoilt,
    submitted,
  };
}
