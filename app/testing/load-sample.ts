import type { LoadPartName, LoadSample, RoleLoad } from '../protocol/load';

export function roleLoad(cpuPercent: number, memoryMb: number, part: LoadPartName): RoleLoad {
  return { cpuPercent, memoryMb, stopped: false, parts: [{ name: part, cpuPercent, threads: 8 }] };
}

export function loadSample(overrides: Partial<LoadSample> = {}): LoadSample {
  return {
    atNs: 3e9,
    wallMs: 1_700_000_000_000,
    cpuPercent: 20,
    busiestCorePercent: 30,
    cpuStealPercent: 0,
    gpuPercent: null,
    gpuOthersPercent: null,
    memoryUsedMb: 1000,
    roles: {
      sending: { ...roleLoad(5, 60, 'sdk'), traffic: { sentMbps: 100, receivedMbps: 1 } },
      receiving: { ...roleLoad(4, 55, 'sdk'), traffic: { sentMbps: 1, receivedMbps: 99 } },
      console: roleLoad(1, 80, 'engine'),
    },
    interfaces: [],
    changes: [],
    wireReceiveMbps: 0,
    wireTransmitMbps: 0,
    loopbackMbps: 120,
    fullestLink: null,
    wireErrors: 0,
    wireDropped: 0,
    tcpRetransmits: 0,
    streams: 1,
    lostPerSecond: null,
    latencyP50Ms: null,
    latencyP99Ms: null,
    notMeasured: {
      gpuPercent: 'no NVIDIA driver on this machine',
      gpuOthersPercent: 'no NVIDIA driver on this machine',
      fullestLink: 'no interface that leads out reports its speed',
    },
    ...overrides,
  };
}
