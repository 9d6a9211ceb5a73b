import type { StreamView } from '../../app/protocol/console';
import type { Distribution } from '../../app/protocol/distribution';
import type { Row } from '../../app/protocol/row';
import { noSpoilt, spoiltFigures } from '../../app/protocol/spoilt';
import type { Verdict } from '../../app/protocol/verdict';
import { liftRowsOf } from '../../app/protocol/version-1/lift';
import type { Row as RecordedRow } from '../../app/protocol/version-1/row';

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
    name: `Whiteline ${id}`,
    state: 'receiving',
    stateText: '',
    remedy: '',
    width: 1280,
    height: 720,
    framesPerSecond: 60,
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
    method: 'frame-code',
    framesMissing: null,
    lastLoss: '',
    lastLossStage: null,
    latencyUncertaintyMs: null,
    audioOffsetMs: 1.3 + id / 10,
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

const nothingMeasured: Distribution = { min: null, p50: null, p90: null, p99: null, p999: null, max: null };

const noGaps: RecordedRow['gapHistogram'] = {
  of1: null,
  of2: null,
  of3to5: null,
  of6to10: null,
  of11to30: null,
  over30: null,
};

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

interface RowChange extends Partial<Omit<RecordedRow, 'sender' | 'receiver'>> {
  cpu?: number;
}

export const lift = liftRowsOf('stream-load', { sender: 'rack-04', receiver: 'rack-04' });

export function rowOf(index: number, change?: RowChange): Row {
  return lift(recordedRow(index, change));
}

export function recordedRow(index: number, { cpu = 8 + index * 11, ...change }: RowChange = {}): RecordedRow {
  const scheduled = index * 600;
  const network = index * 257.4;
  const host = {
    cpuMaxPercent: cpu,
    cpuMeanPercent: cpu * 0.9,
    cpuP95Percent: cpu * 0.97,
    cpuProcessMaxPercent: cpu * 0.4,
    cpuParts: {
      read: 0,
      decode: 0,
      ffmpeg: 0,
      compose: cpu * 0.02,
      send: cpu * 0.01,
      receive: 0,
      sdk: cpu * 0.3,
      other: cpu * 0.02,
    },
    gpuMaxPercent: null,
    networkMaxMbps: network,
    wireErrors: 0,
    wireDropped: 0,
    tcpRetransmits: 0,
    memoryMaxMb: 180,
  };
  const counts = {
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
    gapHistogram: index === 0 ? noGaps : { of1: 0, of2: 0, of3to5: 0, of6to10: 0, of11to30: 0, over30: 0 },
    picturesWrongSource: index === 0 ? null : 0,
    longestGapMs: index === 0 ? null : 19.8 + index,
    connectMs: index === 0 ? null : 400 + index * 20,
    codeHealthMin: index === 0 ? null : 0.97,
    latencyMs:
      index === 0
        ? nothingMeasured
        : { min: 1.2, p50: 2.8 + index, p90: 4 + index, p99: 7.1 + index * 2, p999: 12 + index, max: 19 },
    latencyFramesP50: index === 0 ? null : 0.2,
    latencyJitterMs: index === 0 ? null : 0.31,
    clockOffsetMs: null,
    latencyUncertaintyMs: null,
    submitIntervalMs: index === 0 ? nothingMeasured : intervals(0.6),
    submitJitterMs: index === 0 ? null : 0.04,
    receiveIntervalMs: index === 0 ? nothingMeasured : intervals(4.8),
    receiveJitterMs: index === 0 ? null : 0.52,
    audioBlocksMissing: index === 0 ? null : 0,
    audioOffsetMs: index === 0 ? null : 1.4,
    audioDriftMs: index === 0 ? null : -0.1,
    bitrateMbps: index === 0 ? null : network,
    conserved: true,
    verdict: 'PASS' as Verdict,
    reason: index === 0 ? '' : 'No frame was lost',
  };
  const notMeasured: Record<string, string> = {
    'sender.gpuMaxPercent': noGpu,
    'receiver.gpuMaxPercent': noGpu,
    clockOffsetMs: oneMachine,
    latencyUncertaintyMs: oneMachine,
    ...(index === 0 && { longestGapMs: 'no stream', 'latencyMs.p99': 'no stream' }),
  };
  return {
    kind: 'streams',
    row: index,
    label: '',
    values: {},
    streams: index,
    startedAt: '2026-11-21T19:00:00.000Z',
    endedAt: '2026-11-21T19:00:10.000Z',
    measuredSeconds: 10,
    senderMissed: false,
    ...counts,
    sender: host,
    receiver: host,
    instrument: { engineCpuMeanPercent: 2, windowCpuMeanPercent: 4 },
    perStream: Array.from({ length: index }, (_, stream) => ({
      streamId: stream + 1,
      name: `Whiteline ${stream + 1}`,
      firstFrame: 900,
      lastFrame: 1499,
      droppedFrames: [],
      missedFrames: [],
      method: 'frame-code' as const,
      losses: [],
      ...counts,
      framesScheduled: 600,
      framesSubmitted: 600,
      framesReceived: 600,
      picturesCaptured: 600,
      // What the row lost was lost by its newest stream.
      ...(stream === index - 1 && {
        framesSenderMissed: change.framesSenderMissed ?? 0,
        framesDropped: change.framesDropped ?? 0,
      }),
      notMeasured,
    })),
    notMeasured,
    ...change,
  };
}
