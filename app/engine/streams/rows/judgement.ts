import type { Fact } from '../../../facts/fact';
import {
  aboutLoad,
  brokenGuards,
  disturbances,
  type Finding,
  fine,
  type Guard,
  judgeRow,
  ofReachable,
  unreachableMachines,
  violatedBy,
} from '../../../facts/precedence';
import { type BrokenRule, type ReasonData, type Rule, reasonOf } from '../../../facts/reason-words';
import { type Verdict, worseVerdict } from '../../../facts/verdict';
import type { Thresholds } from '../../../protocol/thresholds';
import { isoOf } from '../../clock';
import type { Span } from '../counting/capture-counter';
import type { RangeCounts } from '../counting/range-counts';
import type { SlotTally } from '../counting/slot-tally';
import { type ForeignCounts, unreportedTexts } from '../foreign/foreign-ledger';
import { type InjectedFrames, noneInjected, partsOf } from '../losses/loss-parts';
import { nothingProved, type Proofs, type ProvedPart } from '../losses/proofs';
import type { DiskSpeed } from '../stream';
import { busierOf, type EndLoad, isFilledByUs, isFull, othersGuards } from './end-load';
import { noStopCost, type StopCost } from './stop-cost';

/** What else has to be known to judge a stream's counts. */
export interface Circumstances {
  sender: EndLoad;
  receiver: EndLoad;
  /** Load of this machine around each single trouble, because other programs may have run at only one of them. Default: none. */
  eachTrouble?: readonly EndLoad[];
  /** Speed of the movie's disk when its pictures were last late. */
  lateDisk: DiskSpeed;
  /** Guards of the row, for all of its streams. */
  guards: readonly Guard[];
  /** What makes all figures of the row void. */
  contradictions: readonly Fact[];
  /** Why losses could not be counted in a part of the row: a row without other losses proves nothing then. Default: none. */
  uncounted?: readonly Fact[];
  /** What recorded facts prove of the losses; default: nothing. */
  proofs?: Proofs;
  /** What the run itself injected; default: nothing. */
  injected?: InjectedFrames;
  /** For a remote sender: frames with neither a picture nor a record; default: none. */
  unreportedFrames?: number;
  /** Frames that our own pacing missed since a picture was late from the disk or from decoding; default: none. */
  lateSourceMisses?: number;
  /** What stops of our processes, or of the sender's, cost at most; default: nothing. */
  stopCost?: StopCost;
  /** Frames that our own pacing missed within recorded stops of the process that sends them; default: none. */
  missedWhileStopped?: number;
  /** Wall clock minus monotonic clock, so that a reason can say when. */
  wallOffsetUs: number;
}

/** What the counts of a stream say; the table of precedence makes a verdict of it. */
export interface StreamEvidence {
  findings: Finding[];
  /** Guards of the row, and what the counts say about our own threads. */
  guards: readonly Guard[];
  contradictions: readonly Fact[];
  /** Why nothing was measured. */
  absent: readonly Fact[];
  isOwnLimit: boolean;
  good: readonly Fact[];
  /** The sender itself missed frames: the study's red row. */
  senderMissed: boolean;
}

export interface Judgement {
  verdict: Verdict;
  reason: readonly Fact[];
  senderMissed: boolean;
}

const clean: Judgement = { verdict: 'PASS', reason: [reasonOf('no-frame-lost')], senderMissed: false };

function hasNothingToSay({ reason }: Judgement): boolean {
  return reason[0]?.code === 'no-frame-lost' || reason[0]?.code === 'no-frame-missed';
}

export function loss(isTooMuch: boolean, fact: Fact): Finding {
  return { verdict: isTooMuch ? 'FAIL' : 'WARN', fact, kind: 'loss' };
}

/** A loss with its proof: `all` and `part` count frames or stalls, and `part` is what recorded facts explain. */
function provedLoss(
  isTooMuch: boolean,
  fact: Fact,
  { all, part, isPartTooMuch }: { all: number; part: ProvedPart; isPartTooMuch: boolean },
): Finding {
  const finding = loss(isTooMuch, { ...fact, ...(part.seen.length > 0 && { seen: [...part.seen] }) });
  if (part.count === 0) return finding;
  if (part.count >= all) return { ...finding, proved: { verdict: finding.verdict, part: null } };
  return { ...finding, proved: { verdict: isPartTooMuch ? 'FAIL' : 'WARN', part: part.count } };
}

function remark(fact: Fact): Finding {
  return { verdict: 'WARN', fact, kind: 'remark' };
}

/** Evidence of one stream over one row, as docs/measurement.md defines it. */
export function codedEvidence(
  counts: RangeCounts,
  thresholds: Thresholds,
  circumstances: Circumstances,
): StreamEvidence {
  const { tally } = counts;
  const { sender, receiver, wallOffsetUs, proofs = nothingProved } = circumstances;
  const { SourceSkipped, SenderLate, SendBlocked, Injected } = tally.missCauses;
  const ownPacing = SourceSkipped + SenderLate;
  const { lateSourceMisses = 0, unreportedFrames: unreported = 0 } = circumstances;
  const isSenderFull = isFull(sender, thresholds);
  /** Frames that our own pacing missed while the sender's machine was at its limit. */
  const explained = isSenderFull ? ownPacing : lateSourceMisses;
  const paced = ownPacing - explained;
  const { stopCost = noStopCost, missedWhileStopped = 0 } = circumstances;
  /** The guard of a process that was stopped says it of these, whatever the load was: our pacing could not be in time. */
  const stopped = isSenderFull ? missedWhileStopped : paced;
  const whileStopped = stopped <= stopCost.missed ? stopped : 0;
  const isSourceLate = lateSourceMisses > 0 && lateSourceMisses === ownPacing;
  const { droppedReceiverQueue } = counts;
  const unrecorded = counts.unrecorded - unreported;
  const contradictions = [...circumstances.contradictions];
  // Without all of the sender's records no sum can hold: their absence is what there is to say.
  if (unrecorded > 0) contradictions.push(reasonOf('records-missing', { frames: unrecorded }));
  else if (!counts.conserved && unreported === 0) contradictions.push(reasonOf('sums-disagree'));
  // The queue drops no more than what is absent.
  const queuedAtMost = droppedReceiverQueue ?? tally.dropped;
  const isFetchedLate = queuedAtMost > stopCost.queued && !isFull(receiver, thresholds);
  const findings: Finding[] = [];
  const lost = tally.lostFrames;
  const isTooMuch = lost > 0 && tally.worstWindowLost > thresholds.acceptableLostFrames;
  if (tally.missed > 0) {
    const data = {
      ...missedData(counts, circumstances, isSourceLate && !isSenderFull),
      ...(whileStopped > 0 && { whileStopped }),
    };
    const rule = brokenRule({ rule: 'no-miss' }, counts.missedAt, wallOffsetUs);
    const proof = { all: tally.missed, part: proofs.missed, isPartTooMuch: true };
    findings.push(provedLoss(true, reasonOf('frames-missed', { ...data, ...rule }), proof));
  }
  if (counts.stalls > 0) findings.push(stallFinding(counts, circumstances));
  const isPartTooMuch = (part: ProvedPart): boolean => part.worstWindow > thresholds.acceptableLostFrames;
  if (lost > 0) {
    const rule = isTooMuch && brokenLossRule(thresholds, counts.lostAt, wallOffsetUs);
    const fact = reasonOf('frames-lost', { ...lostData(counts, circumstances.injected), ...rule });
    const { lost: part } = proofs;
    findings.push(provedLoss(isTooMuch, fact, { all: lost, part, isPartTooMuch: isPartTooMuch(part) }));
  }
  if (unreported > 0) {
    const { frames = unreported, at = null } = counts.worstAbsent ?? {};
    const isMany = frames > thresholds.acceptableLostFrames;
    const rule = isMany && brokenLossRule(thresholds, at, wallOffsetUs);
    const fact = reasonOf('frames-unreported', { frames: unreported, ...rule });
    const { unreported: part } = proofs;
    findings.push(provedLoss(isMany, fact, { all: unreported, part, isPartTooMuch: isPartTooMuch(part) }));
  }
  // What was lost while another source was shown is not known.
  const { otherSeconds: seconds, wrongSource } = counts;
  if (seconds > 0) findings.push(remark(reasonOf('other-source', { seconds, pictures: wrongSource })));
  const late =
    tally.lateSource > 0 && reasonOf('pictures-late', { ...lateData(tally), ...circumstances.lateDisk });
  if (late && tally.lateCauses.Damaged > 0) findings.push(remark(late));
  const { uncounted = [] } = circumstances;
  const hasLoss = findings.some(({ kind }) => kind === 'loss');
  return {
    findings,
    guards: [
      ...circumstances.guards,
      violatedBy(hasLoss ? uncounted : []),
      ...[
        violatedBy(
          paced > whileStopped ? [reasonOf('pacing-late', { frames: paced, ...nameOf(sender) })] : [],
        ),
        isFetchedLate ? fetchedLate(droppedReceiverQueue, receiver) : fine,
      ].map(aboutLoad),
    ],
    contradictions,
    absent: hasLoss ? [] : uncounted,
    isOwnLimit:
      [sender, receiver].some((end) => !end.isElsewhere && isFilledByUs(end, thresholds)) ||
      (isSourceLate && tally.missed === ownPacing && lost + counts.stalls === 0),
    good: late ? [late] : clean.reason,
    senderMissed: SendBlocked + Injected + explained > 0,
  };
}

/**
 * Evidence of a stream whose frames carry no code: it is not known what its sender sent, so that a loss is a
 * loss, wherever it was. What could not be counted is no pass.
 */
export function foreignEvidence(
  counts: ForeignCounts,
  thresholds: Thresholds,
  circumstances: Circumstances,
): StreamEvidence {
  const { wallOffsetUs, guards, contradictions, proofs = nothingProved } = circumstances;
  const findings: Finding[] = [];
  const isTooMuch = (counts.worstWindowLost ?? 0) > thresholds.acceptableLostFrames;
  const { missing, missingReason, methodText: method, unreportedBreaks, placeholders, greens } = counts;
  const { times, longestNs } = counts.silences.connected;
  if (counts.stalls > 0) findings.push(stallFinding(counts, circumstances));
  if (missing !== null && missing > 0) {
    const rule = isTooMuch && brokenLossRule(thresholds, counts.lostAt, wallOffsetUs);
    const { lost: part } = proofs;
    const isPartTooMuch = part.worstWindow > thresholds.acceptableLostFrames;
    const isAtLeast = missingReason !== '' && { isAtLeast: true };
    const fact = reasonOf('frames-missing', { frames: missing, ...isAtLeast, method, ...rule });
    findings.push(provedLoss(isTooMuch, fact, { all: missing, part, isPartTooMuch }));
  }
  // While a process of ours stood still, or a ring overflowed, what the sender did is not known.
  if (times > 0 && disturbances(guards).length > 0)
    findings.push({ ...remark(reasonOf('losses-not-measured')), isOfGuards: true });
  else if (times > 0) {
    const data = { times, longestSeconds: longestNs / 1e9 };
    findings.push(remark(reasonOf('sender-silent', data)));
  } else if (missingReason !== '' && missingReason !== unreportedTexts.changed)
    findings.push(remark(reasonOf('losses-not-measured', { why: missingReason })));
  if (unreportedBreaks > 0) findings.push(remark(reasonOf('sender-changed', { times: unreportedBreaks })));
  if (placeholders > 0) {
    const fact = reasonOf('placeholders', { pictures: placeholders });
    findings.push(loss(placeholders > thresholds.acceptableLostFrames, fact));
  }
  if (greens > 0) findings.push(remark(reasonOf('green-pictures', { pictures: greens })));
  return {
    findings,
    guards,
    contradictions,
    absent: counts.captured === 0 && findings.length === 0 ? [reasonOf('no-picture')] : [],
    isOwnLimit: false,
    good: [reasonOf('no-frame-missing', { method })],
    senderMissed: false,
  };
}

/** For a stream without a counted slot. */
export function nothingCounted({
  guards,
  contradictions,
}: Pick<Circumstances, 'guards' | 'contradictions'>): StreamEvidence {
  return {
    ...{ findings: [], guards, contradictions, isOwnLimit: false, good: [], senderMissed: false },
    absent: [reasonOf('no-slot')],
  };
}

/** The verdict of one stream: of its counts, and of the outages beside them, which come first in the reason. */
export function judgeStream(
  evidence: StreamEvidence,
  { sender, receiver, eachTrouble = [] }: Pick<Circumstances, 'sender' | 'receiver' | 'eachTrouble'>,
  thresholds: Pick<Thresholds, 'saturatedPercent' | 'maxOthersPercent'>,
  outages: readonly Finding[] = [],
): Judgement {
  const findings = [...outages, ...evidence.findings];
  const hasLoss = findings.some(({ kind }) => kind === 'loss');
  const others = othersGuards([sender, receiver, ...eachTrouble], thresholds);
  // Where nothing is lost they change no verdict. What is not known of them is a figure that is not measured then.
  const broken = hasLoss ? others : others.filter(({ state }) => state === 'violated');
  const named = ofReachable(broken, unreachableMachines(brokenGuards(evidence.guards)));
  const row = judgeRow({ ...evidence, findings, guards: [...evidence.guards, ...named] });
  return { ...row, senderMissed: evidence.senderMissed };
}

/** `frames`: null if the transport does not report them. */
function fetchedLate(frames: number | null, receiver: EndLoad): Guard {
  if (frames !== null) return violatedBy([reasonOf('fetched-late', { frames, ...nameOf(receiver) })]);
  const what = 'whether we fetched in time';
  const why = 'the transport does not report what its receiver’s queue dropped';
  return { state: 'not-evaluated', facts: [reasonOf('not-checked', { what, why })] };
}

/** Its machine, where the run has more than one. */
function nameOf({ machine }: EndLoad): { machine?: string } {
  return machine === undefined ? {} : { machine };
}

/** What a FAIL adds to its reason: the rule that was broken, with its limits, and when. */
export function brokenRule(rule: Rule, at: Span | null, wallOffsetUs: number): BrokenRule {
  return {
    ...rule,
    ...(at && { brokenFrom: isoOf(at.fromNs, wallOffsetUs), brokenTo: isoOf(at.toNs, wallOffsetUs) }),
  };
}

function brokenLossRule(
  { acceptableLostFrames: mostFrames, lostWindowSeconds: windowSeconds }: Thresholds,
  at: Span | null,
  wallOffsetUs: number,
): BrokenRule {
  if (mostFrames === 0) return brokenRule({ rule: 'no-loss' }, at, wallOffsetUs);
  return brokenRule({ rule: 'most-lost', mostFrames, windowSeconds }, at, wallOffsetUs);
}

function stallFinding(
  { stalls, longestStallMs, stalledAt }: Pick<RangeCounts, 'stalls' | 'longestStallMs' | 'stalledAt'>,
  { wallOffsetUs, proofs = nothingProved }: Pick<Circumstances, 'wallOffsetUs' | 'proofs'>,
): Finding {
  const rule = brokenRule({ rule: 'no-stall' }, stalledAt, wallOffsetUs);
  const proof = { all: stalls, part: proofs.stalls, isPartTooMuch: true };
  // The longest gap of a row may be that of an outage, or one that its sender made.
  const data = { stalls, longestGapMs: longestStallMs, ...rule };
  return provedLoss(true, reasonOf('stalls', data), proof);
}

/**
 * The verdict of a row is that of its worst stream; of equal ones the first that lost most, of those that have something to say.
 * `lost`: frames of each stream that were lost or not sent.
 */
export function worstOf(judgements: readonly Judgement[], lost: readonly number[]): Judgement {
  let worst = clean;
  let most = 0;
  let senderMissed = false;
  for (const [index, judgement] of judgements.entries()) {
    const frames = lost[index] ?? 0;
    senderMissed ||= judgement.senderMissed;
    const isWorse =
      worst.verdict === judgement.verdict
        ? hasNothingToSay(worst) || (frames > most && !hasNothingToSay(judgement))
        : worseVerdict(worst.verdict, judgement.verdict) === judgement.verdict;
    if (isWorse) [worst, most] = [judgement, frames];
  }
  return { ...worst, senderMissed };
}

/** Why the movie's pictures were not ready; the one before was shown in the place of each. */
function lateData({ lateSource, lateCauses }: SlotTally) {
  const { Disk: disk, Decode: decode, Damaged: damaged, Command: ffmpeg } = lateCauses;
  return { disk, decode, damaged, ffmpeg, unknown: lateSource - disk - decode - damaged - ffmpeg };
}

function missedData(
  { tally }: RangeCounts,
  { injected: frames = noneInjected, sender }: Pick<Circumstances, 'injected' | 'sender'>,
  isSourceLate: boolean,
): ReasonData<'frames-missed'> {
  const { injectedMissed: injected, saidInjected, sendBlocked, ownPacing } = partsOf(tally, frames);
  const { busiestPercent: loadPercent, othersPercent, isGpu } = busierOf(sender);
  const load = { loadPercent, othersPercent, ...(isGpu && { isGpu }), ...nameOf(sender) };
  const causes = { injected, saidInjected, sendBlocked, ownPacing };
  return { frames: tally.missed, ...causes, isSourceLate, ...load };
}

function lostData(
  { tally, droppedReceiverQueue, undecodableUnmatched, attributed }: RangeCounts,
  { lost: injected } = noneInjected,
): ReasonData<'frames-lost'> {
  const { spoilt } = tally;
  // Without the sender's records a picture that cannot be read says that one was sent.
  const submitted = tally.submitted + (attributed ? 0 : undecodableUnmatched);
  const undecodable = tally.matched + undecodableUnmatched;
  if (droppedReceiverQueue === null && attributed)
    return { unplaced: tally.dropped, undecodable, ...spoilt, submitted, injected };
  const receiverQueue = droppedReceiverQueue ?? 0;
  const transport = tally.dropped - receiverQueue;
  return {
    transport,
    isAttributed: attributed,
    receiverQueue,
    undecodable,
    ...spoilt,
    submitted,
    injected,
  };
}
