import type { MeasuredStream } from '../engine/measured-now';
import type { StreamView } from '../protocol/console';
import type { LoadSample } from '../protocol/load';
import { loadSample } from '../testing/load-sample';
import type { Facts, MachineFacts, MachineSample } from './facts';

export const emptyFacts: Facts = {
  build: { version: '1.0.0', node: '16.0.0' },
  ...{ run: null, counting: {}, streams: [], isReceiverRemote: false, machines: [], agent: null },
};

export function sampleOf(overrides: Partial<LoadSample> = {}, ageSeconds = 0.25): MachineSample {
  return { ...loadSample(overrides), ageSeconds };
}

export function machineOf(name: string, overrides: Partial<MachineFacts> = {}): MachineFacts {
  return {
    ...{
      name,
      id: '',
      version: null,
      sample: null,
      clock: null,
      isReachable: null,
      isLeased: null,
      ends: null,
    },
    ...overrides,
  };
}

/** Of which nothing is measured yet. */
const unmeasured: StreamView = {
  ...{ id: 1, name: 'Whiteline 1', ndiName: 'Whiteline 1', state: 'connecting', stateText: '', remedy: '' },
  ...{ width: 1280, height: 720, framesPerSecond: 60, frameFormat: null, sourceRemarks: [] },
  ...{ framesSubmitted: null, framesReceived: null, framesDropped: null, framesSenderMissed: null },
  ...{ framesLateSource: null, framesLateSourceDisk: null, framesLateSourceDecode: null },
  ...{
    framesLateSourceDamaged: null,
    framesDuplicated: null,
    framesReordered: null,
    framesUndecodable: null,
  },
  ...{ framesWrongSize: null, framesTorn: null, framesStale: null, framesDamaged: null },
  ...{ framesDiscoloured: null, framesDimmed: null, framesMislabelled: null },
  ...{ lostNow: null, lostTotal: null, lossesNotMeasured: '', lostNowInOutage: null, framesInOutages: null },
  ...{ deliveredFps: null, latencyP50Ms: null, latencyP99Ms: null, longestGapMs: null, codeHealthMin: null },
  ...{ connectMs: null, bitrateMbps: null, isSenderRemote: false, sentFrom: null, receivedOn: null },
  ...{ method: 'frame-code', framesMissing: null, lastLoss: '', lastLossStage: null, lastOutageMs: null },
  ...{
    latencyUncertaintyMs: null,
    audioOffsetMs: null,
    audioPeakDbfs: null,
    audioBlocksMissing: null,
    framesDisplayMissed: null,
  },
  ...{ framesDisplayMissedDelivery: null, framesDisplayMissedUpload: null },
  ...{ framesDisplayMissedPresentation: null, displayTicksMissed: null, recoveredAfterMs: null },
  ...{ verdict: null, reason: '', countedTo: null },
};

export function viewOf(overrides: Partial<StreamView> = {}): StreamView {
  return { ...unmeasured, ...overrides };
}

export function streamOf(
  overrides: Partial<StreamView> = {},
  more: Partial<MeasuredStream> = {},
): MeasuredStream {
  return { view: viewOf(overrides), isFollowed: false, isAway: false, ...more };
}

/** One of each, all of it measured. */
export const fullFacts: Facts = {
  ...emptyFacts,
  run: { experiment: 'stream-load', verdict: null, rowVerdicts: ['PASS', 'PASS', 'FAIL'] },
  streams: [
    streamOf({
      ...{ state: 'receiving', sentFrom: 'render-1', receivedOn: 'display-1', verdict: 'FAIL' },
      ...{ framesSubmitted: 600, framesReceived: 597, framesDropped: 3, lostTotal: 4, framesSenderMissed: 1 },
      ...{ framesLateSource: 0, framesReordered: 2, framesDuplicated: 0, framesUndecodable: 0 },
      ...{ framesWrongSize: 0, framesTorn: 1, framesStale: 0, framesDamaged: 0 },
      ...{ framesDiscoloured: 0, framesDimmed: 0, framesMislabelled: 0 },
      ...{
        deliveredFps: 59.94,
        lostNow: 1,
        latencyP50Ms: 8.5,
        latencyP99Ms: 12.25,
        latencyUncertaintyMs: 0.35,
      },
      ...{ longestGapMs: 50, connectMs: 420, audioOffsetMs: -3, codeHealthMin: 0.97 },
    }),
    streamOf({ id: 2, name: 'stage "2"\n' }, { isFollowed: true }),
  ],
  machines: [
    machineOf('console-1', { sample: sampleOf({ gpuPercent: 12.5 }) }),
    machineOf('render-1', {
      ...{ id: 'a1b2c3d4e5f6g7h8', version: '1.0.0', isReachable: true, isLeased: true },
      ...{ ends: { sender: 1, receiver: 0 }, clock: { uncertaintySeconds: 0.000125, driftPpm: -12.5 } },
      sample: sampleOf(
        { roles: { sending: { cpuPercent: 3, memoryMb: 60, stopped: false, parts: null, gpuPercent: 7 } } },
        1.5,
      ),
    }),
    machineOf('display-1', { id: 'b1b2c3d4e5f6g7h8', version: '1.0.0', isReachable: false }),
  ],
};

export const agentOnly: Facts = {
  ...emptyFacts,
  machines: [
    machineOf('render-1', {
      ...{ id: 'a1b2c3d4e5f6g7h8', version: '1.0.0', isLeased: false, ends: { sender: 0, receiver: 0 } },
      sample: sampleOf(),
    }),
  ],
  agent: {
    ...{
      bus: 'reconnecting',
      presenceAgeSeconds: 4.5,
      streamsLimit: 64,
      hosts: { sending: 0, receiving: 0 },
    },
  },
};
