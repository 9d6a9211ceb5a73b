import type { Fact } from '../../../protocol/fact';
import type { Figures } from '../../../protocol/figure';
import type { LoadSample } from '../../../protocol/load';
import { lostFramesOf } from '../../../protocol/lost-frames';
import { reasonOf } from '../../../protocol/reason-words';
import type { StreamSubject, StreamsRow } from '../../../protocol/stream-row';
import type { Thresholds } from '../../../protocol/thresholds';
import { isoOf } from '../../clock';
import type { LoadSums } from '../../load/load-sums';
import {
  type Carrier,
  carrierOf,
  type HostWindow,
  hostLoad,
  instrumentLoad,
  reportedLoad,
  summarise,
  unknownLoad,
} from '../../load/window';
import { type LossContext, lossesOf } from '../losses/losses';
import {
  brokenRule,
  type Circumstances,
  type Judgement,
  judgeForeign,
  judgeStream,
  worstOf,
} from './judgement';
import { receiverLoadAtDrops, senderLoadAtMisses } from './load-around';
import type { MeasuredStream } from './measured-stream';
import { codedWithoutTail, onlyOutages, withOutages } from './outage-judgement';
import { reasons } from './row-reasons';
import { totalsOf } from './row-totals';
import { sentJudgement, sentStream } from './sent-stream';
import { displayFaults, type ShownInRow, shownInRow } from './shown-figures';
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
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** Mean traffic of row 0 where the streams travel; null before there is one. */
  baselineMbps(carrier: Carrier): number | null;
  instrumentFaults: readonly Fact[];
  /** The senders are not those of this process: their load is what they report of it. */
  isSenderRemote: boolean;
  /** Name of this machine, which receives. */
  hostName: string;
  /** False for a row as it stands, which is built again and again: its losses are reported when it is closed. */
  explainsLosses: boolean;
}

/** Builds a row out of what was counted and sampled; with `row-totals.ts` the one place where totals are summed. */
export function buildRow(input: RowInput): StreamsRow {
  const { fromNs, toNs, streams, wallOffsetUs, isSenderRemote, hostName, thresholds } = input;
  const { load } = input;
  const isReceiverRemote = streams.some(({ stream }) => stream.isReceiverRemote);
  const carrier = carrierOf(load, isReceiverRemote ? 'receiver' : isSenderRemote ? 'sender' : null);
  const receiver = isReceiverRemote
    ? unknownLoad(reasons.remoteReceiver)
    : hostLoad(load, 'receiving', carrier);
  const instrument = instrumentLoad(load);
  const baselineMbps = input.baselineMbps(carrier);
  const trafficMbps = trafficOf(load, carrier, baselineMbps);
  const sender = isSenderRemote
    ? reportedLoad(
        streams.flatMap(({ stream }) => stream.reportedLoads.within(fromNs, toNs)),
        reasons.remoteSender,
      )
    : hostLoad(load, 'sending', carrier);
  const isOpen = !input.explainsLosses;
  const shown = streams.map((measured) => shownInRow(measured, { fromNs, toNs, isOpen }));
  const judged = streams.map((measured, index) => {
    const own = isSenderRemote
      ? reportedLoad(measured.stream.reportedLoads.within(fromNs, toNs), reasons.remoteSender)
      : sender;
    const circumstances = {
      senderLoadPercent:
        senderLoadAtMisses(measured.stream, measured.counts, isSenderRemote ? null : input.samples) ??
        loadOf(own),
      receiverLoadPercent: receiverLoadAtDrops(measured.counts, input.samples) ?? loadOf(receiver),
      senderOthersPercent: own.load.othersCpuMeanPercent,
      instrumentFaults: [
        ...input.instrumentFaults,
        ...displayFaults(shown[index] as ShownInRow, loadOf(receiver), thresholds),
      ],
      lateDisk: measured.stream.source.lateDisk,
      wallOffsetUs,
    };
    return judge(measured, { toNs, isOpen, thresholds, circumstances, isSenderRemote });
  });
  const context: LossContext = {
    ...{ streams, thresholds, wallOffsetUs, isSenderRemote, carrier },
    samples: input.samples,
  };
  const surroundings = { toNs, wallOffsetUs, isOpen, alone: streams.length === 1, trafficMbps };
  const senderOf = ({ stream }: MeasuredStream): string | null =>
    isSenderRemote ? stream.senderHost : hostName;
  const subjects = streams.map((measured, index) => {
    const sender = senderOf(measured);
    const subject = streamRow(
      measured,
      judged[index] as Judgement,
      input.explainsLosses ? lossesOf(measured, context) : [],
      {
        ...surroundings,
        shown: shown[index] as ShownInRow,
        hosts: { ...(sender !== null && { sender }), ...(!isReceiverRemote && { receiver: hostName }) },
      },
    );
    return measured.stream.isReceiverRemote ? sentStream(subject) : subject;
  });
  const named = judged.map((judgement, index) => withName(judgement, streams, index));
  const worst = judged.length > 0 ? worstOf(named) : baselineJudgement(input);
  const notMeasured: Record<string, string> = {};
  for (const [side, window] of Object.entries({ sender, receiver, instrument })) {
    for (const [field, reason] of Object.entries(window.notMeasured))
      notMeasured[`${side}.${field}`] = reason;
  }
  const noTraffic = baselineMbps === null ? reasons.noBaseline : reasons.noTraffic;
  if (trafficMbps === null) notMeasured.bitrateMbps = streams.length === 0 ? reasons.noStream : noTraffic;
  const hosts = {
    sender: streams.map(senderOf).find((name) => name !== null) ?? (isSenderRemote ? unknownHost : hostName),
    receiver: isReceiverRemote ? unknownHost : hostName,
    instrument: hostName,
  };
  return {
    ...{ index: input.index, label: '', step: { streams: streams.length } },
    from: isoOf(fromNs, wallOffsetUs),
    to: isoOf(toNs, wallOffsetUs),
    figures: {
      measuredSeconds: (toNs - fromNs) / 1e9,
      senderMissed: worst.senderMissed,
      ...totalsOf(subjects, streams, trafficMbps, notMeasured),
    },
    subjects,
    load: byHost(hosts, { sender: sender.load, receiver: receiver.load, instrument: instrument.load }),
    verdict: worst.verdict,
    reason: [...worst.reason, ...notPassed(subjects)],
    notMeasured,
  };
}

/** In the place of the name of a machine of others that has not said what it is. */
const unknownHost = 'not known';

const loadRoles = ['sender', 'receiver', 'instrument'] as const;
type ByRole<Value> = Readonly<Record<(typeof loadRoles)[number], Value>>;

/** The load of each role under its host. */
function byHost(hosts: ByRole<string>, loads: ByRole<Figures>): StreamsRow['load'] {
  const load: StreamsRow['load'] = {};
  for (const role of loadRoles) load[hosts[role]] = { ...load[hosts[role]], [role]: loads[role] };
  return load;
}

/** In a row of several streams the reason says whose it is; a sender has one receiver, of the same name. */
function withName(judgement: Judgement, streams: MeasuredStream[], index: number): Judgement {
  const name = streams[index]?.stream.name;
  if (streams.length < 2 || judgement.verdict === 'PASS' || !name) return judgement;
  const reason = judgement.reason.map(({ code, data }) => ({ code, data: { ...data, stream: name } }));
  return { ...judgement, reason };
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
      lost: sum((stream) => lostFramesOf(stream) ?? stream.figures.framesMissing),
      stalls: sum(({ figures }) => figures.stalls),
    }),
  ];
}

/** Row 0: what other programs take, the streams to come do not have, and their cost cannot be known from it. */
function baselineJudgement({
  instrumentFaults: faults,
  isSenderRemote,
  thresholds,
  load,
}: RowInput): Judgement {
  const senderMissed = false;
  const { mean: othersPercent } = load.othersCpuPercent;
  if (faults.length > 0) return { verdict: 'INVALID', reason: faults, senderMissed };
  const limitPercent = thresholds.busyBaselinePercent;
  if (othersPercent === null || othersPercent < limitPercent) {
    const reason = [reasonOf('baseline', { isSenderRemote })];
    return { verdict: 'PASS', reason, senderMissed };
  }
  const reason = [reasonOf('busy-baseline', { percent: othersPercent, limitPercent })];
  return { verdict: 'WARN', reason, senderMissed };
}

interface JudgementContext {
  /** End of the row. */
  toNs: number;
  isOpen: boolean;
  thresholds: Thresholds;
  circumstances: Circumstances;
  isSenderRemote: boolean;
}

function judge(measured: MeasuredStream, context: JudgementContext): Judgement {
  const { outages, framesPerSecond } = measured;
  const { isOpen, thresholds, circumstances } = context;
  const { wallOffsetUs } = circumstances;
  const judged = judgeCounts(measured, context);
  const counted = measured.stream.isReceiverRemote ? sentJudgement(judged) : judged;
  return withOutages(counted, outages, { framesPerSecond, isOpen, thresholds, wallOffsetUs });
}

function judgeCounts(
  { stream, counts, foreign, outages }: MeasuredStream,
  { toNs, thresholds, circumstances, isSenderRemote }: JudgementContext,
): Judgement {
  const { instrumentFaults: faults, wallOffsetUs } = circumstances;
  if (foreign && stream.firstCaptureNs > 0)
    return judgeForeign(foreign.counts, thresholds, faults, wallOffsetUs);
  // Where another one goes on in its place, nothing of it was due.
  const isWithoutSlots = counts !== null && counts.last < counts.first && stream.after === null;
  const { connectTimeoutSeconds } = thresholds;
  const waited = { fromNs: stream.addedNs, toNs: stream.addedNs + connectTimeoutSeconds * 1e9 };
  // What was sent until then and did not come is lost, however long the receiver was waited for.
  const isCounted = stream.firstCaptureNs > 0 || stream.isReceiverRemote || toNs < waited.toNs;
  if (counts && !isWithoutSlots && isCounted)
    return judgeStream(codedWithoutTail(counts, isSenderRemote), thresholds, circumstances);
  if (faults.length > 0) return { verdict: 'INVALID', reason: faults, senderMissed: false };
  if (outages.length > 0) return onlyOutages;
  if (toNs < waited.toNs || (isWithoutSlots && stream.firstCaptureNs > 0))
    return { verdict: 'INVALID', reason: [reasonOf('no-slot')], senderMissed: false };
  const rule = brokenRule('first-frame', waited, wallOffsetUs, { windowSeconds: connectTimeoutSeconds });
  const data = { seconds: connectTimeoutSeconds, added: stream.name, ...rule };
  const reason = [reasonOf('no-first-frame', data)];
  return { verdict: 'FAIL', reason, senderMissed: false };
}

/** CPU or GPU, whichever was busier at its worst. */
function loadOf({ load }: HostWindow): number | null {
  return summarise([load.cpuMaxPercent, load.gpuMaxPercent])?.max ?? null;
}

/** Traffic of all streams: the mean less the baseline's. */
function trafficOf(sums: LoadSums, carrier: Carrier, baselineMbps: number | null): number | null {
  const { mean } = sums[carrier];
  return mean === null || baselineMbps === null ? null : Math.max(0, mean - baselineMbps);
}
