import type { EngineState, LossSample, StreamMark, StreamView } from '../../app/protocol/console';
import type { LoadSample } from '../../app/protocol/load';
import type { Row } from '../../app/protocol/row';
import type { NoTextureMessage } from '../../app/protocol/textures';
import type { Verdict } from '../../app/protocol/verdict';

export interface Scenario {
  life?: 'starting' | 'crashed';
  streams?: StreamView[];
  rows?: Row[];
  provisional?: number;
  /** `wallMs` counted from now. */
  marks?: StreamMark[];
  state?: Partial<EngineState>;
  loadPerStream?: number;
  losesFrames?: boolean;
  /** What the view of a source is told in the place of its textures. */
  noTexture?: NoTextureMessage['reason'];
}

const noGpu = 'no NVIDIA driver was found on this machine';

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
    framesTorn: 0,
    framesDamaged: 0,
    framesUndecodable: 0,
    lostNow: 0,
    lostTotal: 0,
    deliveredFps: 60,
    latencyP50Ms: 2.84 + id / 10,
    latencyP99Ms: 7.12 + id / 5,
    longestGapMs: 21.4,
    codeHealthMin: 0.97,
    connectMs: 412,
    bitrateMbps: 257.4,
    verdict: 'PASS',
    reason: 'No frame was lost',
    ...change,
  };
}

interface RowChange extends Partial<Omit<Row, 'sender' | 'receiver'>> {
  cpu?: number;
}

export function rowOf(index: number, { cpu = 8 + index * 11, ...change }: RowChange = {}): Row {
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
    framesTorn: 0,
    framesDamaged: 0,
    framesUndecodable: 0,
    framesUndecodableUnmatched: 0,
    framesDisplayMissed: null,
    stalls: 0,
    worstWindowLost: 0,
    longestGapMs: index === 0 ? null : 19.8 + index,
    connectMs: index === 0 ? null : 400 + index * 20,
    codeHealthMin: index === 0 ? null : 0.97,
    latencyMs:
      index === 0
        ? { min: null, p50: null, p90: null, p99: null, p999: null, max: null }
        : { min: 1.2, p50: 2.8 + index, p90: 4 + index, p99: 7.1 + index * 2, p999: 12 + index, max: 19 },
    latencyFramesP50: index === 0 ? null : 0.2,
    bitrateMbps: index === 0 ? null : network,
    conserved: true,
    verdict: 'PASS' as Verdict,
    reason: index === 0 ? '' : 'No frame was lost',
  };
  const notMeasured: Record<string, string> = {
    'sender.gpuMaxPercent': noGpu,
    'receiver.gpuMaxPercent': noGpu,
    ...(index === 0 && { longestGapMs: 'no stream', 'latencyMs.p99': 'no stream' }),
  };
  return {
    row: index,
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
      ...counts,
      framesScheduled: 600,
      framesSubmitted: 600,
      framesReceived: 600,
      picturesCaptured: 600,
      notMeasured,
    })),
    notMeasured,
    ...change,
  };
}

export const studyRows: Row[] = [
  rowOf(0),
  rowOf(1),
  rowOf(2),
  rowOf(3, {
    verdict: 'WARN',
    framesDropped: 1,
    framesDroppedTransport: 1,
    framesReceived: 1799,
    reason: '1 frame lost in the worst 2 s of stream 3',
  }),
  rowOf(4, {
    verdict: 'INVALID',
    framesDropped: 3,
    framesDroppedReceiverQueue: 3,
    framesReceived: 2397,
    reason: 'Our own receiver was late while the machine was at 52 % load',
  }),
  rowOf(5, {
    cpu: 98.7,
    verdict: 'FAIL',
    senderMissed: true,
    framesSenderMissed: 214,
    framesSubmitted: 2786,
    framesDropped: 41,
    framesDroppedTransport: 29,
    framesDroppedReceiverQueue: 12,
    framesReceived: 2745,
    reason: 'The sender missed 21 frames/s at 98.7 % CPU',
  }),
];

const marks: StreamMark[] = [1, 2, 3, 4].map((streams) => ({
  wallMs: -160_000 + streams * 30_000,
  streams,
  label: `Stream ${streams}`,
}));

const run = (verdict: Verdict | null, reason: string): EngineState['run'] => ({
  id: '2026-11-21T19-00-00',
  folder: '/home/operator/Documents/Whiteline/runs/2026-11-21T19-00-00',
  title: 'stream-load',
  verdict,
  reason,
});

const flawless = 'No frame was lost in 4 streams of 1280×720@60.';

export const scenarios: Record<string, Scenario> = {
  empty: { loadPerStream: 0 },
  starting: { life: 'starting' },
  four: {
    streams: [1, 2, 3, 4].map((id) => streamView(id)),
    rows: [rowOf(0), rowOf(4)],
    provisional: 1,
    marks,
    loadPerStream: 14,
    state: { mode: 'live', run: run('PASS', flawless) },
  },
  ramp: {
    streams: [1, 2, 3].map((id) =>
      streamView(
        id,
        id === 3
          ? {
              state: 'warming-up',
              stateText: 'The first frames are not counted.',
              verdict: null,
              longestGapMs: null,
            }
          : {},
      ),
    ),
    rows: studyRows.slice(0, 3),
    marks: marks.slice(0, 3),
    loadPerStream: 14,
    state: {
      mode: 'ramp',
      run: run(null, ''),
      progress: {
        phase: 'measuring',
        streams: 3,
        maxStreams: 8,
        phaseSeconds: 10,
        phaseElapsedSeconds: 4,
        remainingSeconds: 80,
      },
    },
  },
  sixteen: {
    streams: Array.from({ length: 16 }, (_, index) =>
      streamView(index + 1, {
        ...(index === 2 && {
          state: 'stalled' as const,
          stateText: 'No frame for 2.4 s while the sender submits.',
          remedy: 'Often the link is full: look at the network chart, or take a stream away.',
          verdict: 'FAIL' as const,
          lostNow: 60,
          lostTotal: 1432,
          framesDropped: 1432,
          deliveredFps: 0,
        }),
        ...(index === 5 && { verdict: 'WARN' as const, lostTotal: 1, framesDropped: 1 }),
      }),
    ),
    rows: studyRows,
    marks,
    loadPerStream: 5.5,
    losesFrames: true,
    state: { mode: 'live', run: run('FAIL', 'Stream 3 stood still for 2.4 s and lost 1,432 frames.') },
  },
  table: {
    rows: studyRows,
    marks,
    loadPerStream: 14,
    losesFrames: true,
    state: {
      run: run(
        'FAIL',
        '4 streams of 1280×720@60 carried; the 5th made the sender miss 21 frames/s at 98.7 % CPU.',
      ),
    },
  },
  crashed: {
    life: 'crashed',
    rows: studyRows.slice(0, 4),
    marks,
    loadPerStream: 14,
    streams: [streamView(1)],
    state: { mode: 'live', run: run('PASS', flawless) },
  },
  'source-waiting': {
    streams: [streamView(1)],
    noTexture: 'no-stream',
    loadPerStream: 14,
    state: { mode: 'live' },
  },
  'source-not-hap': {
    streams: [streamView(1)],
    noTexture: 'not-hap',
    loadPerStream: 14,
    state: { mode: 'live' },
  },
  'source-unreadable': {
    streams: [streamView(1)],
    noTexture: 'unreadable',
    loadPerStream: 14,
    state: { mode: 'live' },
  },
  'ndi-missing': { loadPerStream: 0, state: { ndi: null } },
  alerts: {
    streams: [1, 2].map((id) => streamView(id)),
    loadPerStream: 14,
    marks: marks.slice(0, 2),
    state: {
      mode: 'live',
      alerts: [
        {
          key: 'host-died',
          severity: 'error',
          code: 'HOST_DIED',
          message: 'The receiving process ended with code 139',
          remedy:
            'It was started again; the streams reconnect by themselves. The gap is in the run as an event.',
        },
        {
          key: 'disk',
          severity: 'warning',
          code: 'DISK_FULL',
          message: 'The disk with the run folder has 210 MB left',
          remedy: 'Free some space or choose another folder: when it is full the run ends.',
        },
      ],
    },
  },
};

export function stateOf({ streams = [], state }: Scenario): EngineState {
  return {
    mode: 'idle',
    ndi: { version: '6.3.1.0', path: '/usr/lib/x86_64-linux-gnu/libndi.so.6' },
    ndiLoading: false,
    receivingHost: streams.length > 0 ? 1 : 0,
    sendingHost: streams.length > 0 ? 1 : 0,
    machine: { hostName: 'rack-04', cpuModel: 'AMD Ryzen 9 7950X', cores: 32 },
    source: null,
    streams,
    run: null,
    progress: null,
    alerts: [],
    ...state,
  };
}

/** Two samples a second, climbing at each mark. */
export function samplesOf(
  { loadPerStream = 0, marks: added = [] }: Scenario,
  fromMs: number,
  toMs: number,
): LoadSample[] {
  const now = Date.now();
  const samples: LoadSample[] = [];
  for (let wallMs = fromMs; wallMs <= toMs; wallMs += 500) {
    const streams = added.filter((mark) => now + mark.wallMs < wallMs).length;
    const wobble = Math.sin(wallMs / 3000) + Math.sin(wallMs / 700);
    const sending = streams === 0 ? 0 : streams * loadPerStream * 0.55 + wobble;
    const receiving = streams === 0 ? 0 : streams * loadPerStream * 0.35 - wobble / 2;
    samples.push({
      atNs: wallMs * 1e6,
      wallMs,
      cpuPercent: Math.min(99.5, 6 + sending + receiving + Math.abs(wobble)),
      cpuStealPercent: 0,
      gpuPercent: null,
      memoryUsedMb: 8123,
      roles: {
        sending: { cpuPercent: Math.max(0, sending), memoryMb: 180, parts: null },
        receiving: { cpuPercent: Math.max(0, receiving), memoryMb: 160, parts: null },
        console: { cpuPercent: 2, memoryMb: 300, parts: null },
      },
      interfaces: [],
      wireReceiveMbps: 0.4,
      wireTransmitMbps: 0.2,
      loopbackMbps: streams * 257 + wobble * 8 + 3,
      wireErrors: 0,
      wireDropped: 0,
      tcpRetransmits: 0,
      lostPerSecond: 0,
      streams,
      notMeasured: { gpuPercent: noGpu },
    });
  }
  return samples;
}

export function lossesOf({ losesFrames }: Scenario, fromMs: number, toMs: number): LossSample[] {
  const losses: LossSample[] = [];
  for (let wallMs = fromMs; wallMs <= toMs; wallMs += 1000) {
    const isBad = losesFrames && Math.sin(wallMs / 9000) > 0.9;
    losses.push({ wallMs, lostPerSecond: isBad ? 30 + Math.round(Math.sin(wallMs) * 9) : 0 });
  }
  return losses;
}
