import type { EngineState, LiveSource, StreamMark, StreamView } from '../../app/protocol/console';
import type { NmosView } from '../../app/protocol/nmos';
import type { Row } from '../../app/protocol/row';
import type { NoTextureMessage } from '../../app/protocol/textures';
import type { Verdict } from '../../app/protocol/verdict';
import { rowOf, streamView, studyRows } from './fixtures';
import { everyState } from './states';
import { foreignRows, foreignStreams, lossRows, rowsOfOldVersion, troubledStreams } from './trouble';

export interface Scenario {
  life?: 'starting' | 'crashed';
  streams?: StreamView[];
  rows?: Row[];
  provisional?: number;
  /** What discovery lists. */
  liveSources?: LiveSource[];
  /** `wallMs` counted from now. */
  marks?: StreamMark[];
  state?: Partial<EngineState>;
  loadPerStream?: number;
  losesFrames?: boolean;
  /** Nodes in the registry that the screen NMOS reads; 0: none is chosen. */
  nmosNodes?: number;
  nmosView?: Partial<NmosView>;
  /** What the view of a source is sent in the place of its textures. */
  noTexture?: NoTextureMessage['reason'];
}

const marks: StreamMark[] = [1, 2, 3, 4].map((streams) => ({
  kind: 'stream',
  wallMs: -160_000 + streams * 30_000,
  streams,
  label: `Stream ${streams}`,
}));

const markers: StreamMark[] = [
  { kind: 'marker', wallMs: -125_000, streams: 1, label: 'Marker 1' },
  { kind: 'marker', wallMs: -60_000, streams: 3, label: 'The cable was pulled' },
];

const liveSources: LiveSource[] = [
  { name: 'CAMERA-4 (HX Output)', addresses: ['10.0.0.24:5961'], sender: 'other' },
  {
    name: 'RENDER-PC (Whiteline 1)',
    addresses: ['10.0.0.11:5961', '192.168.20.11:5961'],
    sender: 'whiteline',
  },
  {
    name: 'STUDIO-PC (Character generator, programme and preview)',
    addresses: ['10.0.0.31:5963'],
    sender: 'other',
  },
  { name: 'WALL-PC (Playback, left)', addresses: [], sender: 'other' },
];

const run = (verdict: Verdict | null, reason: string): EngineState['run'] => ({
  id: '2026-11-21T19-00-00',
  folder: '/home/operator/Documents/Whiteline/runs/2026-11-21T19-00-00',
  title: 'Stream load',
  experiment: 'stream-load',
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
    marks: [...marks, ...markers],
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
      mode: 'experiment',
      run: run(null, ''),
      progress: {
        phase: 'measuring',
        step: 3,
        steps: 8,
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
          stateText: 'No new picture for more than half a second',
          remedy: 'Often the link is full: check the network chart, or take a stream away.',
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
  trouble: {
    streams: troubledStreams,
    rows: lossRows,
    provisional: lossRows.length - 1,
    marks,
    loadPerStream: 14,
    losesFrames: true,
    state: {
      mode: 'live',
      run: run(
        'INVALID',
        'The receiver was late with 31 frames of stream 2 while its machine was at 52 % load: our own threads did not fetch in time, so nothing is said about the network under test.',
      ),
    },
  },
  /** Every state of a stream, each with its cause and remedy. */
  states: {
    streams: everyState,
    rows: studyRows.slice(0, 2),
    marks,
    loadPerStream: 3,
    state: { mode: 'live', run: run(null, '') },
  },
  losses: {
    rows: lossRows,
    marks,
    loadPerStream: 14,
    losesFrames: true,
    state: {
      run: run('FAIL', '2 streams of 1280×720@60 carried; the 3rd lost 47 frames in transport, 31 at once.'),
    },
  },
  foreign: {
    streams: foreignStreams,
    rows: foreignRows,
    liveSources,
    marks: marks.slice(0, 2),
    loadPerStream: 8,
    state: {
      mode: 'live',
      run: run('WARN', '1 frame of CAMERA-4 (HX Output) is missing, by its timestamps.'),
    },
  },
  /** Rows as they were written before losses, gaps and intervals were recorded. */
  'old-run': {
    rows: rowsOfOldVersion,
    marks,
    loadPerStream: 14,
    state: { run: run('PASS', flawless) },
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
  making: {
    loadPerStream: 0,
    state: {
      making: { clip: 'particles', stage: 'made', framesDone: 220, frames: 600, secondsLeft: 74 },
    },
  },
  nmos: { loadPerStream: 0, nmosNodes: 2500 },
  'nmos-few': { loadPerStream: 0, nmosNodes: 8 },
  'nmos-empty': { loadPerStream: 0, nmosNodes: 0, nmosView: { registries: [] } },
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
          message: 'The receiving process was ended by SIGSEGV',
          remedy: 'It was started again; a row that was being measured then is INVALID',
        },
        {
          key: 'disk',
          severity: 'warning',
          code: 'DISK_FULL',
          message: 'The disk with the run folder has 210 MB left',
          remedy: 'Free some space or choose another folder: when it is full the run ends.',
        },
        {
          key: 'outage-2',
          severity: 'warning',
          code: 'NO_VIDEO',
          message: 'Stream 2: pictures again after 2250 ms, about 134 frames at 60 fps (an estimate)',
          remedy: 'The stream’s strip and the rows say what it cost',
          isPast: true,
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
    adding: null,
    run: null,
    progress: null,
    making: null,
    thresholdProfile: 'study',
    nmosNode: { is: 'off' },
    sitting: 'Console, 2026-11-24 08:00 UTC',
    alerts: [],
    ...state,
  };
}
