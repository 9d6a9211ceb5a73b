import type { Loss } from '../../../facts/loss';
import { isSpoiltKind } from '../../../facts/spoilt';
import type { LoadSample, MachineChange } from '../../../protocol/load';
import type { Thresholds } from '../../../protocol/thresholds';
import { isoOf } from '../../clock';
import type { HostRole } from '../../host-application';
import type { ProcessStandstill } from '../../load/standstills';
import type { Carrier } from '../../load/window';
import type { MachineSide } from '../../machines/machine-side';
import type { Span } from '../counting/capture-counter';
import type { LostRun } from '../counting/lost-runs';
import { SourceMark } from '../counting/slot-flags';
import type { StreamLedger } from '../counting/stream-ledger';
import type { ForeignLoss } from '../foreign/foreign-losses';
import type { Outage } from '../outages';
import type { MachineLoads } from '../rows/load-around';
import type { MeasuredStream } from '../rows/measured-stream';
import type { Stream } from '../stream';
import { type Cause, causesOf, isOwnPacing } from './causes';
import { injectedFrames } from './injected';
import {
  aroundNs,
  changesNear,
  clockNs,
  isLong,
  judgingSamples,
  type LossFacts,
  latePictures,
  longestSampleGap,
  networkFacts,
  samplesAround,
  samplesOf,
  usualOrWorst,
  withLosses,
} from './loss-facts';
import {
  foreignTime,
  type LostTime,
  lostTimes,
  type Measured,
  runTime,
  type Silence,
  silenceTime,
} from './lost-times';
import { isProved, type ProofFacts, provedFrames, within } from './proved';

/** What else is known when losses are explained. */
export interface LossContext {
  /** Name of the machine that `samples` are of, where the run has more than one. */
  machine?: string;
  /** The machine of the senders, where that is another one of ours. */
  senderSide?: Pick<MachineSide, 'name' | 'samples'>;
  /** All streams of the row, that of the loss included. */
  streams: readonly Pick<MeasuredStream, 'stream' | 'counts' | 'foreign'>[];
  /** Samples of the machine that receives, oldest first, from some time before the loss on. */
  samples: readonly LoadSample[];
  /** Samples of this console, which say how many frames were lost when; those of other machines do not. Default: `samples`. */
  ownSamples?: readonly LoadSample[];
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** Another program or machine sends the streams. */
  isSenderRemote: boolean;
  /** Standstills of our own processes near the time between two moments. */
  standstills(fromNs: number, toNs: number): readonly ProcessStandstill[];
  /** Where the streams' traffic is counted. */
  carrier: Carrier;
  /** When interfaces of this machine had no link. */
  linksDown: readonly Span[];
  /** The time for which losses are known: the row. */
  counted: Span;
}

/** Losses of two streams no farther apart than this are one instant. */
const instantNs = 0.1e9;
/** What other streams lose when a loss has lasted for so long began at another instant. */
const sameBeginningNs = 10e9;

/** What judging a loss takes. */
export interface ProvedLoss {
  loss: Pick<Loss, 'stage' | 'frames' | 'causes'>;
  /** Of a remote sender: neither a picture nor a record of its frames came. */
  isUnreported: boolean;
  /** How many of its frames are explained by recorded facts. */
  proved: number;
  fromNs: number;
  toNs: number;
}

export interface ExplainedLoss extends ProvedLoss {
  loss: Loss;
}

/** The losses of a stream over a row (the first 200), each with what is known of its cause. */
export function lossesOf(measured: MeasuredStream, context: LossContext): Loss[] {
  return explainedLosses(measured, context).map(({ loss }) => loss);
}

export function explainedLosses(measured: Measured, context: LossContext): ExplainedLoss[] {
  const { stream } = measured;
  return lostTimes(measured, context.isSenderRemote).map(({ isUnreported, ...span }) => ({
    ...explained(stream, span, context),
    isUnreported,
  }));
}

/** The same without their causes, which take samples: these are kept for less long than a live view counts. */
export function provedLosses(measured: Measured, context: LossContext): ProvedLoss[] {
  const { stream } = measured;
  return lostTimes(measured, context.isSenderRemote).map(({ isUnreported, ...span }) => {
    const { stage, frames, fromNs, toNs } = span;
    const proved = provedFrames(proofFacts(stream, span, context));
    return { loss: { stage, frames }, isUnreported, proved, fromNs, toNs };
  });
}

/** One loss, as `SlotTally.lost` reports it of a row or of the live view. */
export function lossOf(stream: Stream, run: LostRun, context: LossContext): Loss {
  const { ledger } = stream;
  if (!ledger) throw new Error('a loss by slots needs a ledger');
  return explained(stream, runTime(ledger, run), context).loss;
}

/** One loss of a stream whose frames carry no code. */
export function foreignLossOf(stream: Stream, loss: ForeignLoss, context: LossContext): Loss {
  return explained(stream, foreignTime(loss), context).loss;
}

/** What was seen beside a time without a picture, nothing if that is all that is known, and whether a recorded fact explains it. */
export function explainedSilence(
  stream: Stream,
  silence: Silence,
  context: LossContext,
): { causes: Cause[]; proved: boolean } {
  const facts = { ...factsOf(stream, silenceTime(silence), context), injected: 0 };
  const causes = causesOf(facts, context.thresholds).filter(({ code }) => code !== 'not-seen');
  return { causes, proved: isProved(facts) };
}

/** Outages of a live view, with what recorded facts prove of them. */
export function provedOutages(
  stream: Stream,
  outages: readonly Outage[],
  context: LossContext,
): readonly Outage[] {
  return outages.map((outage) => ({
    ...outage,
    isProved: isProved(proofFacts(stream, silenceTime(outage), context)),
  }));
}

function explained(
  stream: Stream,
  span: LostTime,
  context: LossContext,
): Omit<ExplainedLoss, 'isUnreported'> {
  const facts = factsOf(stream, span, context);
  const { wallOffsetUs, thresholds } = context;
  const causes = causesOf(facts, thresholds);
  const loss: Loss = {
    stage: span.stage,
    firstFrame: span.firstFrame,
    lastFrame: span.lastFrame,
    frames: span.frames,
    startedAt: isoOf(span.fromNs, wallOffsetUs),
    endedAt: isoOf(span.toNs, wallOffsetUs),
    ...(span.queued > 0 && { queued: span.queued }),
    streamsTogether: facts.streamsTogether,
    streams: facts.streams,
    causes,
    ...(facts.rows && { rows: facts.rows }),
  };
  const { fromNs, toNs } = span;
  return { loss, proved: provedFrames(facts), fromNs, toNs };
}

/** What was recorded when it happened, and holds however long ago that was. */
function proofFacts(
  stream: Stream,
  span: LostTime,
  { carrier, linksDown, counted }: LossContext,
): LostTime & ProofFacts {
  const { ledger } = stream;
  const { fromNs, toNs, lastFrame } = span;
  const reached = { fromNs: Math.min(counted.fromNs, fromNs), toNs: counted.toNs };
  return {
    ...span,
    injected: injectedFrames(stream.injected, span, stream.framesPerSecond, (first, last) =>
      ledger ? ledger.lostIn(first, last) : last - first + 1,
    ),
    linksDown: carrier === 'loopbackMbps' ? [] : within(linksDown, reached),
    isRestarted: isRestartedNear(stream, fromNs, toNs),
    isAtEnd:
      stream.after !== null && ledger !== null && lastFrame > ledger.newestSeen(Number.POSITIVE_INFINITY),
    connectionBrokeNs: stream.connectionHistory.brokeAtNs(fromNs - clockNs, toNs + clockNs),
  };
}

function factsOf(stream: Stream, span: LostTime, context: LossContext): LossFacts {
  const { isSenderRemote, thresholds } = context;
  const { senderSide } = context;
  // What a sender of ours did by itself is explained by its own machine alone.
  const ofSender = senderSide !== undefined && isOwnPacing(span);
  const place: MachineLoads = ofSender ? senderOf(senderSide) : context;
  const streams = context.streams.filter((other) => other.stream === stream || isCounted(other));
  const { fromNs, toNs } = span;
  const samples = withLosses(samplesOf(place.samples, fromNs, toNs), context.ownSamples);
  const { ledger } = stream;
  const isSenderHere = ofSender || !isSenderRemote || ledger?.identity.clock.isShared === true;
  const judging = judgingSamples(samples, fromNs, toNs);
  // A connection may have been broken long before a row began that lost everything: what broke it is the cause.
  const sinceNs = stream.connectionHistory.beganNs(fromNs, toNs, clockNs);
  const sinceBroken = samplesAround(place.samples, sinceNs, toNs);
  const standstills = context.standstills(sinceNs, toNs);
  const stoodStill = standstills.filter(({ kind }) => kind === 'stopped');
  const hasWaited = standstills.some(({ kind, who }) => kind === 'starved' && 'role' in who);
  const wasStopped = (role: HostRole): boolean =>
    stoodStill.some(({ who }) => 'role' in who && who.role === role);
  const usual = (pick: (sample: LoadSample) => number | null) =>
    usualOrWorst(judging.map(pick), toNs - fromNs);
  const cpuPercent = usual((sample) => sample.cpuPercent);
  const { reportedLoads } = stream;
  const judgingReported = isLong(fromNs, toNs)
    ? reportedLoads.within(fromNs, toNs)
    : reportedLoads.around(fromNs, toNs, aroundNs);
  const reported = judgingReported.map((load) => load.cpuPercent);
  const beganToNs = Math.min(toNs, fromNs + sameBeginningNs);
  const together = streams.filter((other) => other.stream === stream || hasLost(other, fromNs, beganToNs));
  return {
    ...proofFacts(stream, span, context),
    saidInjected: saidInjected(stream, span),
    rows: isSpoiltKind(span.stage)
      ? (ledger?.spoiltRows.within(span.firstFrame, span.lastFrame) ?? null)
      : null,
    streams: streams.length,
    streamsTogether: together.length,
    oneMachine: isSenderHere && !senderSide && !stream.isReceiverRemote,
    isSenderHere,
    machine: place.machine,
    senderMachine: senderSide ? senderSide.name : context.machine,
    receiverMachine: context.machine,
    senderCpuPercent: isSenderHere ? cpuPercent : usualOrWorst(reported, toNs - fromNs),
    receiverCpuPercent: stream.isReceiverRemote || ofSender ? null : cpuPercent,
    busiestCorePercent: usual((sample) => sample.busiestCorePercent),
    ownCpuPercent: usual(ownCpuPercent),
    stealPercent: usual((sample) => sample.cpuStealPercent),
    changes: [
      ...(ofSender ? [] : changesOf(context, sinceNs, toNs, context.carrier)),
      ...(senderSide ? changesOf(senderOf(senderSide), sinceNs, toNs, context.carrier) : []),
    ].filter(({ data: { byMs } }) => typeof byMs !== 'number' || Math.abs(byMs) > thresholds.maxWallStepMs),
    senderClockSteps: clockStepsNear(stream, fromNs, toNs, thresholds),
    isAtCut: (stream.programme?.cutsWithin(fromNs, toNs + 1) ?? []).length > 0,
    starved: mostStarved(standstills, fromNs, toNs),
    sawProcesses:
      !hasWaited && sinceBroken.some(({ roles }) => Object.values(roles).some((role) => role !== null)),
    sendingStopped: wasStopped('sending'),
    senderStopped: stream.senderStandstills.near(sinceNs, toNs).some(({ kind }) => kind === 'stopped'),
    receivingDied: touches(stream.receiverGone, fromNs, toNs),
    receivingStopped: wasStopped('receiving'),
    sampleGap: longestSampleGap(samples, fromNs, toNs),
    longestCallNs: ledger ? longestCallNs(ledger, fromNs, toNs) : 0,
    disconnectedNs: stream.connectionHistory.goneNearNs(fromNs, toNs, clockNs),
    disconnectedThenNs: stream.connectionHistory.goneNearNs(fromNs, toNs, 0),
    isConnectedAgain: stream.connectionHistory.isThereAt(toNs + clockNs),
    wasUnlisted: stream.connectionHistory.wasUnlisted(fromNs - clockNs, toNs + clockNs),
    latePictures:
      ledger && span.stage === 'sender'
        ? latePictures(ledger, fromNs - aroundNs, toNs + aroundNs)
        : { disk: 0, decode: 0, other: 0 },
    lateDisk: stream.source.lateDisk,
    network: networkFacts(samples, fromNs, toNs, context.carrier),
  };
}

/** What this run put in itself is known from it. */
function saidInjected({ ledger, injected }: Stream, { stage, firstFrame, lastFrame }: LostTime): number {
  if (!ledger || injected.length > 0 || stage === 'sender') return 0;
  const isSpoilt = stage === 'undecodable' || isSpoiltKind(stage);
  return ledger.saidInjectedIn(
    firstFrame,
    lastFrame,
    isSpoilt ? SourceMark.SaidSpoilt : SourceMark.SaidSkipped,
  );
}

function senderOf({ name, samples }: NonNullable<LossContext['senderSide']>): MachineLoads {
  return { machine: name, samples };
}

/** What changed on a machine near a loss; each change says on which one, where the run has more than one. */
function changesOf(
  { machine, samples }: MachineLoads,
  fromNs: number,
  toNs: number,
  carrier: Carrier,
): MachineChange[] {
  const changes = changesNear(samples, fromNs, toNs, carrier);
  if (machine === undefined) return changes;
  return changes.map((change) => ({ ...change, data: { ...change.data, machine } }));
}

/** The process of ours that waited for a processor for the most of a time; null: none did for half of it. */
function mostStarved(standstills: readonly ProcessStandstill[], fromNs: number, toNs: number) {
  const waits = new Map<string, { who: { role: string; machine?: string }; ns: number }>();
  for (const { kind, who, ...one } of standstills) {
    if (kind !== 'starved' || !('role' in who)) continue;
    const withinNs = Math.min(one.toNs, toNs) - Math.max(one.fromNs, fromNs);
    const key = JSON.stringify(who);
    waits.set(key, { who, ns: (waits.get(key)?.ns ?? 0) + Math.max(0, withinNs) });
  }
  const [most] = [...waits.values()].sort((a, b) => b.ns - a.ns);
  return most && 2 * most.ns >= toNs - fromNs ? { ...most.who, seconds: most.ns / 1e9 } : null;
}

function touches(span: { fromNs: number; toNs: number } | null, fromNs: number, toNs: number): boolean {
  return span !== null && toNs >= span.fromNs && fromNs <= span.toNs;
}

function isRestartedNear({ before, after }: Stream, fromNs: number, toNs: number): boolean {
  return [before, after].some((one) => one?.isRestart && touches(one, fromNs - clockNs, toNs + clockNs));
}

/** Steps of the clock of a sender on another machine that are too large for drift. */
function clockStepsNear(
  { ledger }: Stream,
  fromNs: number,
  toNs: number,
  { maxWallStepMs }: Thresholds,
): LossFacts['senderClockSteps'] {
  return (ledger?.identity.clock.steps ?? [])
    .filter(({ atNs }) => atNs >= fromNs - clockNs && atNs <= toNs + clockNs)
    .map(({ byUs, machine }) => ({ byMs: byUs / 1000, ...(machine !== undefined && { machine }) }))
    .filter(({ byMs }) => Math.abs(byMs) > maxWallStepMs);
}

function ownCpuPercent({ roles }: LoadSample): number | null {
  const known = Object.values(roles).filter((role) => role !== null);
  return known.length > 0 ? known.reduce((sum, { cpuPercent }) => sum + cpuPercent, 0) : null;
}

function longestCallNs(ledger: StreamLedger, fromNs: number, toNs: number): number {
  const calls = ledger.longCalls.filter(
    (call) => call.toNs >= fromNs - aroundNs && call.fromNs <= toNs + aroundNs,
  );
  return Math.max(0, ...calls.map((call) => call.toNs - call.fromNs));
}

/** One whose sender is not found, or whose frames are not counted yet, says nothing of losses. */
function isCounted({ stream, counts, foreign }: LossContext['streams'][number]): boolean {
  return foreign !== null ? stream.firstCaptureNs > 0 : stream.ledger !== null && counts !== null;
}

function hasLost(
  { stream, counts, foreign }: LossContext['streams'][number],
  fromNs: number,
  toNs: number,
): boolean {
  if (foreign) {
    const { losses, newestLoss } = foreign.counts;
    return [...losses, ...(newestLoss ? [newestLoss] : [])].some(
      (loss) => loss.toNs >= fromNs - instantNs && loss.fromNs <= toNs + instantNs,
    );
  }
  const { ledger } = stream;
  if (!ledger || !counts) return false;
  const { times } = ledger;
  const first = Math.max(counts.first, times.slotFrom(fromNs - instantNs));
  const last = Math.min(counts.last, times.slotFrom(toNs + instantNs) - 1);
  // What a receiver elsewhere got is not known: there only what the sender missed is a loss.
  if (stream.isReceiverRemote)
    return counts.tally.lost.listed.some(
      (run) => run.stage === 'sender' && run.first <= last && run.last >= first,
    );
  return ledger.hasLost(first, last);
}
