import type { Fact } from '../../../facts/fact';
import { aboutLoad, brokenGuards, violatedBy } from '../../../facts/precedence';
import { reasonOf } from '../../../facts/reason-words';
import type { Thresholds } from '../../../protocol/thresholds';
import { LoadSums } from '../../load/load-sums';
import { samplesWithin } from '../../load/window';
import { lateSourceMisses } from '../losses/late-source';
import { injectedIn, noneInjected } from '../losses/loss-parts';
import type { ExplainedLoss, LossContext } from '../losses/losses';
import { nothingProved, proofsOf } from '../losses/proofs';
import type { Stream } from '../stream';
import { codedContradictions, foreignContradictions } from './contradictions';
import { type EndLoad, elsewhereLoad, endLoadOf, isFull } from './end-load';
import { waitedFor, withoutFrames } from './first-frame';
import { guardsOfStream } from './gone-elsewhere';
import {
  type Circumstances,
  codedEvidence,
  foreignEvidence,
  type Judgement,
  judgeStream,
  nothingCounted,
  type StreamEvidence,
} from './judgement';
import {
  eachTrouble,
  knownLoads,
  loadsThen,
  receiverLoadAround,
  reportedLoadAround,
  senderLoadAround,
  troublesOf,
} from './load-around';
import type { MeasuredStream } from './measured-stream';
import { codedWithoutTail, outageFindings } from './outage-judgement';
import { ownFaults } from './own-faults';
import { uncountedCuts } from './programme-figures';
import { guardsOf, type ReceivingEnd } from './receiving-machines';
import { reportingOf, reportsOf } from './remote-load';
import type { RowInput } from './row-input';
import { sentJudgement } from './sent-stream';
import { displayFaults, type ShownInRow } from './shown-figures';
import { missedWhileStopped, stopCostOf } from './stop-cost';

/** The verdict of one stream of a row: the circumstances under which it was measured, and what its counts say under them. */

/** What a stream has in its row beside what was counted. */
interface PlaceInRow {
  input: RowInput;
  /** Where it is received. */
  end: ReceivingEnd;
  /** Null for a row as it stands: its losses are reported when it is closed. */
  context: LossContext | null;
  losses: readonly ExplainedLoss[];
  shown: ShownInRow;
  contradictions: readonly Fact[];
  /** Load of the machine of all senders, if it is another one of the fleet. */
  senderInRow: EndLoad | undefined;
}

export function judgedStream(measured: MeasuredStream, place: PlaceInRow): Judgement {
  const { fromNs, toNs, thresholds, isSenderRemote, explainsLosses } = place.input;
  const circumstances = circumstancesOf(measured, place);
  const isOpen = !explainsLosses;
  return judge(measured, { fromNs, toNs, isOpen, thresholds, circumstances, isSenderRemote });
}

/** Load of the machine of all senders over the row. */
export function senderLoadOf({ senderSide, fromNs, toNs, thresholds }: RowInput): EndLoad | undefined {
  return (
    senderSide &&
    endLoadOf(LoadSums.of(samplesWithin(senderSide.samples, fromNs, toNs)), thresholds, senderSide.name)
  );
}

function circumstancesOf(
  measured: MeasuredStream,
  { input, end, context, losses, shown, contradictions, senderInRow }: PlaceInRow,
): Circumstances {
  const { stream, counts, foreign, outages, framesPerSecond } = measured;
  const { fromNs, toNs, thresholds, isSenderRemote, senderSide, wallOffsetUs } = input;
  const { here } = end;
  const isInVain = outages.length === 0 && isWaitedInVain(stream, toNs, thresholds);
  const waited = isInVain ? waitedFor(stream, thresholds) : null;
  const troubles = troublesOf({ coded: counts, foreign: foreign?.counts ?? null, outages, waited });
  const isSenderElsewhere = isSenderRemote && !senderSide && !stream.reportedLoads.isHere;
  const reported = isSenderElsewhere ? stream.reportedLoads : null;
  const ofReceiver = { samples: end.samples, machine: end.toName };
  const ofSender = senderSide ? { samples: senderSide.samples, machine: senderSide.name } : ofReceiver;
  const loads = { ...ofReceiver, reported, sender: senderSide && ofSender, limits: thresholds };
  const stopCost = stopCostOf(guardsOf(end, input.guards), { name: stream.name, framesPerSecond });
  const guards = guardsOfStream(input.guards, stream);
  return {
    sender: isSenderElsewhere
      ? (reportedLoadAround(stream, troubles, thresholds) ??
        elsewhereLoad(reportsOf(reportingOf([measured]), fromNs, toNs)[0], thresholds))
      : (senderLoadAround(troubles, ofSender, thresholds) ?? senderInRow ?? here),
    receiver: stream.isReceiverRemote
      ? elsewhereLoad([])
      : (receiverLoadAround(troubles, ofReceiver, thresholds) ?? here),
    eachTrouble: eachTrouble(troubles).flatMap((trouble) => knownLoads(loadsThen(trouble, loads))),
    guards: [
      ...guards,
      ...ownFaults({ measured, troubles, losses, end }, { ...input, guards }),
      aboutLoad(violatedBy(displayFaults(shown, isFull(here, thresholds)))),
    ],
    contradictions,
    uncounted: uncountedCuts(stream, input),
    proofs: context ? proofsOf(measured, losses, context, brokenGuards(guards)) : nothingProved,
    injected: counts ? injectedIn(stream, counts) : noneInjected,
    unreportedFrames: isSenderRemote ? (counts?.unreported ?? 0) : 0,
    lateSourceMisses: counts && stream.ledger ? lateSourceMisses(stream.ledger, counts) : 0,
    lateDisk: stream.source.lateDisk,
    stopCost,
    missedWhileStopped: counts ? missedWhileStopped(stream, counts, stopCost, input.standstills) : 0,
    wallOffsetUs,
  };
}

interface JudgementContext {
  /** Beginning of the row. */
  fromNs: number;
  toNs: number;
  isOpen: boolean;
  thresholds: Thresholds;
  circumstances: Circumstances;
  isSenderRemote: boolean;
}

function judge(measured: MeasuredStream, context: JudgementContext): Judgement {
  const { outages, framesPerSecond, stream } = measured;
  const { isOpen, thresholds, circumstances } = context;
  const { wallOffsetUs } = circumstances;
  const out = outageFindings(outages, {
    ...{ framesPerSecond, isOpen, thresholds, wallOffsetUs },
    ...{ stream: stream.name, guards: circumstances.guards },
  });
  const judgement = judgeStream(evidenceOf(measured, context), circumstances, thresholds, out);
  return stream.isReceiverRemote ? sentJudgement(judgement) : judgement;
}

/** No frame of it was counted in the time in which the first one is waited for. */
function isWaitedInVain(stream: Stream, toNs: number, thresholds: Thresholds): boolean {
  const { firstCaptureNs, isReceiverRemote } = stream;
  return firstCaptureNs === 0 && !isReceiverRemote && toNs >= waitedFor(stream, thresholds).toNs;
}

function evidenceOf(
  { stream, counts, foreign, outages, framesPerSecond }: MeasuredStream,
  { fromNs, toNs, thresholds, circumstances, isSenderRemote, isOpen }: JudgementContext,
): StreamEvidence {
  const isConnected = stream.firstCaptureNs > 0;
  if (foreign && isConnected)
    return contradicted(
      foreignEvidence(foreign.counts, thresholds, circumstances),
      foreignContradictions(foreign.counts),
    );
  const isWithoutSlots =
    counts !== null && counts.last < counts.first && counts.captured === 0 && counts.otherSeconds === 0;
  // What was sent until then and did not come is lost, however long the receiver was waited for.
  if (counts && !isWithoutSlots && !isWaitedInVain(stream, toNs, thresholds)) {
    // The counts of a row as it stands come from looks that lie a moment apart.
    const evidence = contradicted(
      codedEvidence(codedWithoutTail(counts, isSenderRemote), thresholds, circumstances),
      isOpen || stream.isReceiverRemote ? [] : codedContradictions(counts, framesPerSecond, thresholds),
    );
    const seen = stream.isReceiverRemote ? counts.tally.submitted : counts.captured + counts.wrongSource;
    const isSilent = seen === 0 && evidence.findings.length === 0;
    return isSilent ? { ...evidence, absent: [reasonOf('no-slot')] } : evidence;
  }
  if (outages.length > 0 || (isWithoutSlots && isConnected)) return nothingCounted(circumstances);
  return withoutFrames(stream, { fromNs, toNs }, thresholds, circumstances);
}

function contradicted(evidence: StreamEvidence, found: readonly Fact[]): StreamEvidence {
  return { ...evidence, contradictions: [...evidence.contradictions, ...found] };
}
