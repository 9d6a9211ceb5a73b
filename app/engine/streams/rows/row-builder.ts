import type { Fact } from '../../../facts/fact';
import type { Figures } from '../../../facts/figure';
import { knownLostFramesOf } from '../../../facts/lost-frames';
import {
  aboutLoad,
  brokenGuards,
  type Finding,
  type Guard,
  judgeRow,
  violatedBy,
} from '../../../facts/precedence';
import { reasonOf, wordsOf } from '../../../facts/reason-words';
import type { StreamSubject, StreamsRow } from '../../../facts/stream-row';
import type { LoadSample } from '../../../protocol/load';
import type { Thresholds } from '../../../protocol/thresholds';
import { isoOf } from '../../clock';
import { LoadSums } from '../../load/load-sums';
import { type ProcessStandstill, standstillGuards } from '../../load/standstills';
import {
  carrierOf,
  type HostWindow,
  hostLoad,
  instrumentLoad,
  reportedLoad,
  samplesWithin,
  unknownLoad,
} from '../../load/window';
import type { MachineSide } from '../../machines/machine-side';
import { lateSourceMisses } from '../losses/late-source';
import { injectedIn, noneInjected } from '../losses/loss-parts';
import { explainedLosses, explainedSilence, type LossContext } from '../losses/losses';
import { nothingProved, proofsOf } from '../losses/proofs';
import { linksDown } from '../losses/proved';
import type { Stream } from '../stream';
import { codedContradictions, foreignContradictions, trafficContradictions } from './contradictions';
import { deviceGuard, elsewhereLoad, endLoadOf, isFull } from './end-load';
import { waitedFor, withoutFrames } from './first-frame';
import {
  type Circumstances,
  codedEvidence,
  foreignEvidence,
  type Judgement,
  judgeStream,
  nothingCounted,
  type StreamEvidence,
  worstOf,
} from './judgement';
import {
  eachTrouble,
  knownLoads,
  loadsThen,
  receiverLoadAround,
  reportedLoadAround,
  senderLoadAround,
  type Troubles,
  troublesOf,
} from './load-around';
import type { MeasuredStream } from './measured-stream';
import { codedWithoutTail, outageFindings } from './outage-judgement';
import {
  guardsOf,
  type ReceivingEnd,
  type ReceivingMachine,
  receivingEndOf,
  receivingEnds,
  receivingProcessOf,
  standstillsOf,
  type Way,
  whyNotMeasured,
} from './receiving-machines';
import type { ReportedLoad, ReportedLoads } from './reported-load';
import { reasons } from './row-reasons';
import { totalsOf } from './row-totals';
import { rowTraffic } from './row-traffic';
import { withSendersHere } from './senders-here';
import { sentJudgement, sentStream } from './sent-stream';
import { displayFaults, type ShownInRow, shownInRow } from './shown-figures';
import { missedWhileStopped, stopCostOf } from './stop-cost';
import { streamRow } from './stream-row';

export interface RowInput {
  index: number;
  fromNs: number;
  toNs: number;
  streams: MeasuredStream[];
  /** Of the samples whose second lies within the row. */
  load: LoadSums;
  /** All samples that are known, oldest first: those around a loss may explain it. */
  samples: readonly LoadSample[];
  /** Of our own processes, near the time between two moments. */
  standstills(fromNs: number, toNs: number): readonly ProcessStandstill[];
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** Whether the instrument kept up; none for a row as it stands. */
  guards: readonly Guard[];
  /** What makes all figures of the row void. */
  contradictions: readonly Fact[];
  /** The senders are not those of this process: their load is what they report of it. */
  isSenderRemote: boolean;
  /** The machine of all senders, where this console knows what it was sampled, and the receivers are on another one. */
  senderSide?: MachineSide;
  /** The two machines of the fleet are parts of one: what they send to each other stays on its loopback. */
  overLoopback?: boolean;
  /** Of this machine, where the receivers are on another one. */
  ownSamples?: readonly LoadSample[];
  /** Between rows: streams that are not in the row come and go, and travel too. */
  isBetween: boolean;
  /** Name of this machine, where another one receives. */
  consoleName?: string;
  /** Name of the machine that receives. */
  hostName: string;
  /** Each machine that receives, where there are several: `load`, `samples` and `hostName` are of the first of them. */
  receivers?: readonly ReceivingMachine[];
  /** False for a row as it stands, which is built again and again: its losses are reported when it is closed. */
  explainsLosses: boolean;
}

/** Builds a row out of what was counted and sampled; with `row-totals.ts` the one place where totals are summed. */
export function buildRow(given: RowInput): StreamsRow {
  const input = given.isSenderRemote ? countingSendersHere(given) : given;
  const { fromNs, toNs, wallOffsetUs, isSenderRemote, hostName, thresholds, load, samples } = input;
  const isReceiverRemote = input.streams.some(({ stream }) => stream.isReceiverRemote);
  const { receivers = [{ name: hostName, load, samples, overLoopback: input.overLoopback }] } = input;
  const { senderSide } = input;
  const isNamed = senderSide !== undefined || input.consoleName !== undefined || receivers.length > 1;
  const ends = receivingEnds(receivers, (machine) => wayOf(input, machine), { thresholds, isNamed });
  const [{ carrier, window: hereWindow }] = ends as [ReceivingEnd];
  const endOf = ({ stream }: MeasuredStream): ReceivingEnd => receivingEndOf(ends, stream);
  const contexts = new Map(input.explainsLosses ? ends.map((end) => [end, lossContext(input, end)]) : []);
  const contextOf = (one: MeasuredStream): LossContext | null => contexts.get(endOf(one)) ?? null;
  const streams = input.streams.map((one) => withCauses(one, contextOf(one)));
  const { ownSamples } = input;
  const instrument = instrumentLoad(ownSamples ? LoadSums.of(samplesWithin(ownSamples, fromNs, toNs)) : load);
  const traffic = rowTraffic({ ...input, receivers });
  const contradictions = [...input.contradictions, ...trafficContradictions(traffic.mbps, streams)];
  const sender = isSenderRemote
    ? remoteLoad({ ...input, receivers }, hereWindow)
    : hostLoad(load, 'sending', carrier);
  const isOpen = !input.explainsLosses;
  const senderInRow =
    senderSide &&
    endLoadOf(LoadSums.of(samplesWithin(senderSide.samples, fromNs, toNs)), thresholds, senderSide.name);
  const shown = streams.map((measured) => shownInRow(measured, { fromNs, toNs, isOpen }));
  const broken = brokenGuards(input.guards);
  const losses = streams.map((measured) => {
    const context = contextOf(measured);
    return context ? explainedLosses(measured, context) : [];
  });
  const judged = streams.map((measured, index) => {
    const { stream, counts, foreign, outages } = measured;
    const end = endOf(measured);
    const { here } = end;
    const context = contextOf(measured);
    const isInVain = outages.length === 0 && isWaitedInVain(stream, toNs, thresholds);
    const waited = isInVain ? waitedFor(stream, thresholds) : null;
    const troubles = troublesOf({ coded: counts, foreign: foreign?.counts ?? null, outages, waited });
    const isSenderElsewhere = isSenderRemote && !senderSide && !stream.reportedLoads.isHere;
    const reported = isSenderElsewhere ? stream.reportedLoads : null;
    const ofReceiver = { samples: end.samples, machine: end.toName };
    const ofSender = senderSide ? { samples: senderSide.samples, machine: senderSide.name } : ofReceiver;
    const loads = { ...ofReceiver, reported, sender: senderSide && ofSender, limits: thresholds };
    const { framesPerSecond } = measured;
    const stopCost = stopCostOf(guardsOf(end, input.guards), { name: stream.name, framesPerSecond });
    const circumstances: Circumstances = {
      sender: isSenderElsewhere
        ? (reportedLoadAround(stream, troubles, thresholds) ??
          elsewhereLoad(reportsOf(reportingOf([measured]), fromNs, toNs)[0], thresholds))
        : (senderLoadAround(troubles, ofSender, thresholds) ?? senderInRow ?? here),
      receiver: stream.isReceiverRemote
        ? elsewhereLoad([])
        : (receiverLoadAround(troubles, ofReceiver, thresholds) ?? here),
      eachTrouble: eachTrouble(troubles).flatMap((trouble) => knownLoads(loadsThen(trouble, loads))),
      guards: [
        ...input.guards,
        ...ownProcessGuards(measured, troubles, input, end),
        aboutLoad(violatedBy(displayFaults(shown[index] as ShownInRow, isFull(here, thresholds)))),
      ],
      contradictions,
      proofs: context ? proofsOf(measured, losses[index] ?? [], context, broken) : nothingProved,
      injected: measured.counts ? injectedIn(stream, measured.counts) : noneInjected,
      unreportedFrames: isSenderRemote ? (counts?.unreported ?? 0) : 0,
      lateSourceMisses: counts && stream.ledger ? lateSourceMisses(stream.ledger, counts) : 0,
      lateDisk: stream.source.lateDisk,
      stopCost,
      missedWhileStopped: counts ? missedWhileStopped(stream, counts, stopCost, input.standstills) : 0,
      wallOffsetUs,
    };
    return judge(measured, { fromNs, toNs, isOpen, thresholds, circumstances, isSenderRemote });
  });
  // Release and capture times come from the monotonic clock, which cannot be set.
  const delaying = broken.filter(({ code }) => code !== 'wall-clock-step');
  const disturbance = wordsOf(delaying);
  const surroundings = { disturbance, toNs, wallOffsetUs, isOpen, alone: streams.length === 1, traffic };
  const senderOf = ({ stream }: MeasuredStream): string | null =>
    isSenderRemote ? stream.senderHost : hostName;
  const subjects = streams.map((measured, index) => {
    const sender = senderOf(measured);
    const subject = streamRow(
      measured,
      judged[index] as Judgement,
      (losses[index] ?? []).map(({ loss }) => loss),
      {
        ...surroundings,
        shown: shown[index] as ShownInRow,
        hosts: {
          ...(sender !== null && { sender }),
          ...(!isReceiverRemote && { receiver: endOf(measured).name }),
        },
      },
    );
    return measured.stream.isReceiverRemote ? sentStream(subject) : subject;
  });
  const named = judged.map((judgement, index) => withName(judgement, streams, index));
  const worst = judged.length > 0 ? worstOf(named) : baselineJudgement(input, ends);
  const unknownReceiver = isReceiverRemote ? unknownLoad(reasons.remoteReceiver) : null;
  const notMeasured: Record<string, string> = {};
  for (const [side, why] of Object.entries({
    sender: sender.notMeasured,
    receiver: unknownReceiver?.notMeasured ?? whyNotMeasured(ends),
    instrument: instrument.notMeasured,
  })) {
    for (const [field, reason] of Object.entries(why)) notMeasured[`${side}.${field}`] = reason;
  }
  const bitrateMbps = streams.length === 0 ? null : traffic.mbps;
  if (bitrateMbps === null)
    notMeasured.bitrateMbps = streams.length === 0 ? reasons.noStream : traffic.reason;
  const senderName =
    streams.map(senderOf).find((name) => name !== null) ??
    input.senderSide?.name ??
    (isSenderRemote ? unknownHost : hostName);
  return {
    ...{ index: input.index, label: '', step: { streams: streams.length } },
    from: isoOf(fromNs, wallOffsetUs),
    to: isoOf(toNs, wallOffsetUs),
    figures: {
      measuredSeconds: (toNs - fromNs) / 1e9,
      senderMissed: worst.senderMissed,
      ...totalsOf(subjects, streams, bitrateMbps, notMeasured, disturbance !== ''),
    },
    subjects,
    load: byHost([
      [senderName, 'sender', sender.load],
      ...(unknownReceiver
        ? [[unknownHost, 'receiver', unknownReceiver.load] as const]
        : ends.map(({ name, window }) => [name, 'receiver', window.load] as const)),
      [input.consoleName ?? hostName, 'instrument', instrument.load],
    ]),
    verdict: worst.verdict,
    reason: [...worst.reason, ...notPassed(subjects), ...otherContradictions(worst, named)],
    notMeasured,
  };
}

function wayOf(
  { streams, isSenderRemote, senderSide }: RowInput,
  { overLoopback }: Pick<ReceivingMachine, 'overLoopback'>,
): Way {
  if (streams.some(({ stream }) => stream.isReceiverRemote)) return ['receiver', false];
  if (!isSenderRemote || overLoopback) return [null, false];
  const isOutside =
    senderSide !== undefined ||
    (streams.length > 0 && streams.every(({ stream }) => stream.reportedLoads.isElsewhere));
  return ['sender', isOutside];
}

/** How far before what was lost the traffic is looked at. */
const beforeNs = 20e9;

/** In an outage there is no traffic: where the streams travel is known from before. */
function lossContext(input: RowInput, end: ReceivingEnd): LossContext {
  const { fromNs, toNs, streams, thresholds, wallOffsetUs, isSenderRemote } = input;
  const { samples } = end;
  // What is received on the sender's own machine has one machine.
  const senderSide = input.senderSide?.name === end.name ? undefined : input.senderSide;
  const standstills: LossContext['standstills'] = (...span) => standstillsOf(end, input.standstills(...span));
  const sinceNs = streams.flatMap(({ outages }) => outages.map((outage) => outage.sinceNs));
  const before = samplesWithin(samples, Math.min(fromNs, ...sinceNs) - beforeNs, toNs);
  const carrier = carrierOf(LoadSums.of(before), ...wayOf(input, end));
  return {
    ...{ streams, thresholds, wallOffsetUs, isSenderRemote, samples, carrier, standstills },
    ...{ linksDown: [...linksDown(samples), ...linksDown(senderSide?.samples ?? [])] },
    ...{ counted: { fromNs, toNs }, machine: end.toName },
    ...(senderSide && { senderSide }),
  };
}

function withCauses(measured: MeasuredStream, context: LossContext | null): MeasuredStream {
  const { stream, outages } = measured;
  if (outages.length === 0 || !context) return measured;
  const explained = outages.map((outage) => {
    const { causes, proved: isProved } = explainedSilence(stream, outage, context);
    return { ...outage, causes, isProved };
  });
  return { ...measured, outages: explained };
}

/** In the place of the name of a machine of others that has not said what it is. */
const unknownHost = 'not known';

type LoadRole = 'sender' | 'receiver' | 'instrument';

/** The load of each role under its host. */
function byHost(loads: readonly (readonly [host: string, role: LoadRole, load: Figures])[]) {
  const byHost: StreamsRow['load'] = {};
  for (const [host, role, load] of loads) byHost[host] = { ...byHost[host], [role]: load };
  return byHost;
}

/** In a row of several streams the reason says whose it is; a sender has one receiver, of the same name. */
function withName(judgement: Judgement, streams: MeasuredStream[], index: number): Judgement {
  const name = streams[index]?.stream.name;
  if (streams.length < 2 || judgement.verdict === 'PASS' || !name) return judgement;
  const reason = judgement.reason.map((fact) => ({ ...fact, data: { ...fact.data, stream: name } }));
  return { ...judgement, reason };
}

/** What contradicts itself in a stream that does not decide: each is an event of the run, by the reason of the row. */
function otherContradictions(worst: Judgement, named: readonly Judgement[]): Fact[] {
  const isContradiction = ({ code }: Fact): boolean => code === 'contradiction';
  return worst.reason.some(isContradiction)
    ? []
    : named.flatMap(({ reason }) => reason.filter(isContradiction));
}

/** What several streams of a row lost together, which the reason of one of them understates. */
function notPassed(subjects: readonly StreamSubject[]): Fact[] {
  const broken = subjects.filter(({ verdict }) => verdict !== 'PASS');
  if (broken.length < 2) return [];
  const sum = (figure: (stream: StreamSubject) => number | null): number =>
    broken.reduce((total, stream) => total + (figure(stream) ?? 0), 0);
  return [
    reasonOf('streams-not-passed', {
      ...{ failed: broken.length, streams: subjects.length },
      missed: sum(({ figures }) => figures.framesSenderMissed),
      lost: sum(knownLostFramesOf),
      stalls: sum(({ figures }) => figures.stalls),
    }),
  ];
}

/** Row 0: what other programs take, the streams to come do not have, and their cost cannot be known from it. */
function baselineJudgement(
  { guards, contradictions, isSenderRemote, thresholds, senderSide, fromNs, toNs }: RowInput,
  ends: readonly ReceivingEnd[],
): Judgement {
  const limitPercent = thresholds.maxOthersPercent;
  const machines: Pick<ReceivingEnd, 'load' | 'toName'>[] = [...ends];
  if (senderSide && ends.every(({ name }) => name !== senderSide.name))
    machines.push({
      load: LoadSums.of(samplesWithin(senderSide.samples, fromNs, toNs)),
      toName: senderSide.name,
    });
  const findings = machines.flatMap(({ load, toName }): Finding[] => {
    const percent = load.othersCpuPercent.mean;
    if (percent === null || percent < limitPercent) return [];
    const data = { percent, limitPercent, ...(toName !== undefined && { machine: toName }) };
    return [{ verdict: 'WARN', fact: reasonOf('busy-baseline', data), kind: 'remark' }];
  });
  const loads = machines.map(({ load, toName }) => endLoadOf(load, thresholds, toName));
  const carried = ends.map(({ load, carrier }) => load[carrier].mean);
  const interfaceMbps = carried.some((mbps) => mbps === null) ? null : Math.max(...carried.map(Number));
  const judged = judgeRow({
    contradictions,
    findings,
    // Where more was taken than it may, that is the finding.
    guards: findings.length > 0 ? guards : [...guards, deviceGuard('cpu', loads, thresholds)],
    // What a stream costs and adds is the difference to this row.
    restsOnGuards: true,
    good: [reasonOf('baseline', { isSenderRemote: isSenderRemote && !senderSide, interfaceMbps })],
  });
  return { ...judged, senderMissed: false };
}

interface JudgementContext {
  /** Of the row. */
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

/**
 * A process of ours that had died or was stopped when what is missing began, in this row or in one before: the connection may need
 * some seconds to come back. What the guards of the row report already is left out.
 */
function ownProcessGuards(
  { stream, outages }: MeasuredStream,
  troubles: Troubles,
  { standstills, guards, thresholds }: Pick<RowInput, 'standstills' | 'guards' | 'thresholds'>,
  end: ReceivingEnd,
): Guard[] {
  const spans = [
    ...outages.map(({ sinceNs }) => ({ fromNs: sinceNs, toNs: sinceNs })),
    ...eachTrouble({ ...troubles, outages: [] }).map(({ at }) => at),
  ];
  const near = new Set(
    spans.flatMap(({ fromNs, toNs }) => [
      ...standstillsOf(end, standstills(fromNs, toNs)),
      ...stream.senderStandstills.near(fromNs, toNs),
    ]),
  );
  const hasDied = outages.some(({ causes = [] }) => causes.some(({ code }) => code === 'receiving-died'));
  const found = [
    violatedBy(hasDied ? [reasonOf('process-died', receivingProcessOf(end))] : []),
    ...standstillGuards([...near], thresholds),
  ];
  const known = brokenGuards(guards);
  const keyOf = ({ code, data: { role, sender, machine } }: Fact): string =>
    JSON.stringify([code, role, sender, machine]);
  const isKnown = (fact: Fact): boolean =>
    known.some(
      (other) =>
        keyOf(other) === keyOf(fact) ||
        (fact.code === 'process-died' &&
          other.code === 'machine-unreachable' &&
          other.data.machine === end.name),
    );
  return found.filter((guard) => !brokenGuards([guard]).some(isKnown));
}

function contradicted(evidence: StreamEvidence, found: readonly Fact[]): StreamEvidence {
  return { ...evidence, contradictions: [...evidence.contradictions, ...found] };
}

/** The row with what senders on this machine took, where there are any: they are programs of their own, and no other programs. */
function countingSendersHere(input: RowInput): RowInput {
  const { fromNs, toNs, thresholds, explainsLosses } = input;
  const streams = input.streams.map(({ stream }) => stream);
  const samples = withSendersHere(input.samples, streams, thresholds);
  // A row as it stands is built again and again: it does without adding up all of its samples each time.
  if (samples === input.samples || !explainsLosses) return { ...input, samples };
  return { ...input, samples, load: LoadSums.of(samplesWithin(samples, fromNs, toNs)) };
}

/** What the senders report. One on this machine takes our processes for other programs: what these took is what we measured. */
function remoteLoad(
  { streams, fromNs, toNs, senderSide, receivers }: RowInput & { receivers: readonly ReceivingMachine[] },
  here: HostWindow,
): HostWindow {
  if (senderSide) {
    const overLoopback = receivers.every((machine) => machine.overLoopback);
    const sums = LoadSums.of(samplesWithin(senderSide.samples, fromNs, toNs));
    return hostLoad(sums, 'sending', carrierOf(sums, overLoopback ? null : 'receiver', true));
  }
  const reported = reportedLoad(...reportsOf(reportingOf(streams), fromNs, toNs));
  if (!streams.some(({ stream }) => stream.reportedLoads.isHere)) return reported;
  const { othersCpuMeanPercent: _, ...notMeasured } = reported.notMeasured;
  const { othersCpuMeanPercent } = here.load;
  const why = here.notMeasured.othersCpuMeanPercent;
  return {
    load: { ...reported.load, othersCpuMeanPercent },
    notMeasured: { ...notMeasured, ...(why !== undefined && { othersCpuMeanPercent: why }) },
  };
}

/** Longer without a report, and the others say nothing of the whole row. Two are due a second; some come late. */
const longestReportGapNs = 2.5e9;

function reportingOf(streams: readonly MeasuredStream[]): ReportedLoads[] {
  return streams.filter(({ stream }) => stream.reportsRecords).map(({ stream }) => stream.reportedLoads);
}

/** What remote senders reported of their machine, and why there is nothing where there is nothing. */
function reportsOf(
  reporting: readonly ReportedLoads[],
  fromNs: number,
  toNs: number,
): [reported: ReportedLoad[], reason: string] {
  if (reporting.length === 0) return [[], reasons.remoteSender];
  if (reporting.some((loads) => loads.longestGapNs(fromNs, toNs) > longestReportGapNs))
    return [[], reasons.agedLoad];
  return [reporting.flatMap((loads) => loads.within(fromNs, toNs)), reasons.agedLoad];
}
