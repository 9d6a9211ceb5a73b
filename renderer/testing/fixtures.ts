import type { Distribution } from '../../app/facts/distribution';
import type { Fact } from '../../app/facts/fact';
import type { Figures, Step } from '../../app/facts/figure';
import type { Row, Subject } from '../../app/facts/row';
import { noSpoilt, spoiltFigures } from '../../app/facts/spoilt';
import { distributionFigures, gapFigures } from '../../app/facts/stream-row';
import type { StreamView } from '../../app/protocol/console';
import { sentence } from '../../app/testing/sentence';

export const noGpu = 'no NVIDIA driver was found on this machine';
const oneMachine = 'sender and receiver are one machine, with one clock';

/** What a strip counts, of a stream of which nothing was counted yet. */
export const uncountedFigures = {
  ...{ framesSubmitted: null, framesReceived: null, framesDropped: null, framesMissing: null },
  ...{ framesSenderMissed: null, framesLateSource: null, framesLateSourceDisk: null },
  ...{ framesLateSourceDecode: null, framesLateSourceDamaged: null, framesDuplicated: null },
  ...{ framesReordered: null, framesUndecodable: null, lostNow: null, lostTotal: null },
} satisfies Partial<StreamView>;

export function streamView(id: number, change: Partial<StreamView> = {}): StreamView {
  return {
    id,
    ...{ name: `Whiteline ${id}`, ndiName: `Whiteline ${id}` },
    state: 'receiving',
    stateText: '',
    remedy: '',
    width: 1280,
    height: 720,
    framesPerSecond: 60,
    frameFormat: 'progressive',
    sourceRemarks: [],
    framesSubmitted: 7218,
    framesReceived: 7218,
    framesDropped: 0,
    framesSenderMissed: 0,
    framesLateSource: 0,
    framesLateSourceDisk: 0,
    framesLateSourceDecode: 0,
    framesLateSourceDamaged: 0,
    framesDuplicated: 0,
    framesReordered: 0,
    ...spoiltFigures(noSpoilt()),
    framesUndecodable: 0,
    lostNow: 0,
    lostTotal: 0,
    lossesNotMeasured: '',
    countedTo: '2026-11-24T08:01:00.000Z',
    lostNowInOutage: null,
    framesInOutages: null,
    deliveredFps: 60,
    latencyP50Ms: 2.84 + id / 10,
    latencyP99Ms: 7.12 + id / 5,
    longestGapMs: 21.4,
    codeHealthMin: 0.97,
    connectMs: 412,
    bitrateMbps: null,
    isSenderRemote: false,
    sentFrom: null,
    receivedOn: null,
    method: 'frame-code',
    framesMissing: null,
    lastLoss: '',
    lastLossStage: null,
    lastOutageMs: null,
    latencyUncertaintyMs: null,
    audioOffsetMs: 1.3 + id / 10,
    audioPeakDbfs: -20,
    audioBlocksMissing: 0,
    framesDisplayMissed: null,
    framesDisplayMissedDelivery: null,
    framesDisplayMissedUpload: null,
    framesDisplayMissedPresentation: null,
    displayTicksMissed: null,
    recoveredAfterMs: null,
    verdict: 'PASS',
    reason: 'No frame was lost',
    ...change,
  };
}

/** Intervals around one period of 60 frames a second, `spread` ms wide. */
function intervals(spread: number): Distribution {
  return {
    min: 16.67 - spread,
    p50: 16.67,
    p90: 16.67 + spread * 0.2,
    p99: 16.67 + spread * 0.5,
    p999: 16.67 + spread * 0.8,
    max: 16.67 + spread,
  };
}

export const nothingMeasured: Distribution = {
  ...{ min: null, p50: null, p90: null, p99: null, p999: null, max: null },
};
const noGap = { of1: 0, of2: 0, of3to5: 0, of6to10: 0, of11to30: 0, over30: 0 };
const gapsUnknown = { of1: null, of2: null, of3to5: null, of6to10: null, of11to30: null, over30: null };

/** What a test has otherwise in a row. */
export interface RowChange extends Partial<Omit<Row, 'step' | 'figures' | 'reason'>> {
  cpu?: number;
  step?: Step;
  figures?: Figures;
  reason?: string | Fact[];
}

/** A row of this many streams at 60 frames a second. */
export function rowOf(streams: number, change: RowChange = {}): Row {
  const { cpu = 8 + streams * 11, step, figures, reason = sentenceOf(streams), ...others } = change;
  const counts = countsOf(streams);
  return {
    ...{ index: streams, label: '', step: { streams, ...step } },
    ...{ from: '2026-11-21T19:00:00.000Z', to: '2026-11-21T19:00:10.000Z' },
    figures: { measuredSeconds: 10, senderMissed: false, ...counts, ...figures },
    subjects: Array.from({ length: streams }, (_, stream) => {
      // What the row lost was lost by its newest stream.
      const { framesSenderMissed = 0, framesDropped = 0 } = figures ?? {};
      return subjectOf(stream + 1, {
        ...counts,
        ...(stream === streams - 1 && { framesSenderMissed, framesDropped }),
      });
    }),
    load: {
      'rack-04': {
        ...{ sender: hostLoad(cpu, streams), receiver: hostLoad(cpu, streams) },
        instrument: { engineCpuMeanPercent: 2, windowCpuMeanPercent: 4 },
      },
    },
    ...{ verdict: 'PASS', notMeasured: notMeasuredOf(streams) },
    ...others,
    reason: typeof reason === 'string' ? sentence(reason) : reason,
  };
}

function sentenceOf(streams: number): string {
  return streams === 0 ? '' : 'No frame was lost';
}

function notMeasuredOf(streams: number): Record<string, string> {
  return {
    'sender.gpuMaxPercent': noGpu,
    'receiver.gpuMaxPercent': noGpu,
    clockOffsetMs: oneMachine,
    latencyUncertaintyMs: oneMachine,
    ...(streams === 0 && { longestGapMs: 'no stream', 'latencyMs.p99': 'no stream' }),
  };
}

/** A stream of a row, with the figures of the row that are not sums. */
function subjectOf(id: number, figures: Figures): Subject {
  const counted = { framesScheduled: 600, framesSubmitted: 600, framesReceived: 600, picturesCaptured: 600 };
  const frames = { firstFrame: 900, lastFrame: 1499, droppedFrames: noFrames, missedFrames: noFrames };
  return {
    ...{ kind: 'stream', id: String(id), name: `Whiteline ${id}` },
    hosts: { sender: 'rack-04', receiver: 'rack-04' },
    figures: { ...figures, ...counted, ...frames, method: 'frame-code' },
    ...{ losses: [], verdict: 'PASS', reason: sentence(sentenceOf(id)), notMeasured: notMeasuredOf(id) },
  };
}

const noFrames = { ranges: [] };

function hostLoad(cpu: number, streams: number): Figures {
  return {
    cpuMaxPercent: cpu,
    cpuMeanPercent: cpu * 0.9,
    cpuP95Percent: cpu * 0.97,
    cpuProcessMaxPercent: cpu * 0.4,
    ...{ 'cpuParts.read': 0, 'cpuParts.decode': 0, 'cpuParts.ffmpeg': 0, 'cpuParts.compose': cpu * 0.02 },
    ...{ 'cpuParts.send': cpu * 0.01, 'cpuParts.receive': 0, 'cpuParts.sdk': cpu * 0.3 },
    'cpuParts.other': cpu * 0.02,
    gpuMaxPercent: null,
    networkMaxMbps: networkMbps(streams),
    wireErrors: 0,
    wireDropped: 0,
    tcpRetransmits: 0,
    memoryMaxMb: 180,
  };
}

function networkMbps(streams: number): number {
  return streams * 257.4;
}

function countsOf(streams: number): Figures {
  const scheduled = streams * 600;
  const ifAny = <Value>(value: Value): Value | null => (streams === 0 ? null : value);
  return {
    framesScheduled: scheduled,
    framesLateSource: 0,
    framesLateSourceDisk: 0,
    framesLateSourceDecode: 0,
    framesLateSourceDamaged: 0,
    framesSenderMissed: 0,
    framesSubmitted: scheduled,
    picturesCaptured: scheduled,
    framesReceived: scheduled,
    framesDropped: 0,
    framesDroppedReceiverQueue: 0,
    framesDroppedTransport: 0,
    framesMissing: null,
    framesDuplicated: 0,
    framesReordered: 0,
    ...spoiltFigures(noSpoilt()),
    framesUndecodable: 0,
    framesUndecodableUnmatched: 0,
    framesDisplayShown: null,
    framesDisplayMissed: null,
    framesDisplayMissedDelivery: null,
    framesDisplayMissedUpload: null,
    framesDisplayMissedPresentation: null,
    displayTicksMissed: null,
    stalls: 0,
    worstWindowLost: 0,
    worstSecondLost: 0,
    ...gapFigures(streams === 0 ? gapsUnknown : noGap),
    picturesWrongSource: ifAny(0),
    longestGapMs: ifAny(19.8 + streams),
    connectMs: ifAny(400 + streams * 20),
    codeHealthMin: ifAny(0.97),
    ...distributionFigures(
      'latencyMs',
      streams === 0
        ? nothingMeasured
        : {
            ...{ min: 1.2, p50: 2.8 + streams, p90: 4 + streams, p99: 7.1 + streams * 2 },
            ...{ p999: 12 + streams, max: 19 },
          },
    ),
    latencyFramesP50: ifAny(0.2),
    latencyJitterMs: ifAny(0.31),
    clockOffsetMs: null,
    latencyUncertaintyMs: null,
    ...distributionFigures('submitIntervalMs', streams === 0 ? nothingMeasured : intervals(0.6)),
    submitJitterMs: ifAny(0.04),
    ...distributionFigures('receiveIntervalMs', streams === 0 ? nothingMeasured : intervals(4.8)),
    receiveJitterMs: ifAny(0.52),
    audioBlocksMissing: ifAny(0),
    audioOffsetMs: ifAny(1.4),
    audioDriftMs: ifAny(-0.1),
    bitrateMbps: ifAny(networkMbps(streams)),
    conserved: true,
  };
}
