import type { LoadSample } from '../../app/protocol/load';
import { noGpu } from './fixtures';

/** Two samples a second of a machine without streams. */
export function samplesOf(fromMs: number, toMs: number): LoadSample[] {
  const samples: LoadSample[] = [];
  for (let wallMs = fromMs; wallMs <= toMs; wallMs += 500) samples.push(loadSample(wallMs, 0, 0));
  return samples;
}

/** A load sample of a machine on which each stream costs some CPU. */
export function loadSample(wallMs: number, streams: number, loadPerStream: number): LoadSample {
  const wobble = Math.sin(wallMs / 3000) + Math.sin(wallMs / 700);
  const sending = streams === 0 ? 0 : streams * loadPerStream * 0.55 + wobble;
  const receiving = streams === 0 ? 0 : streams * loadPerStream * 0.35 - wobble / 2;
  return {
    atNs: wallMs * 1e6,
    wallMs,
    cpuPercent: Math.min(99.5, 6 + sending + receiving + Math.abs(wobble)),
    busiestCorePercent: Math.min(100, 30 + sending + receiving),
    cpuStealPercent: 0,
    gpuPercent: null,
    gpuOthersPercent: null,
    memoryUsedMb: 8123,
    roles: {
      sending: { cpuPercent: Math.max(0, sending), memoryMb: 180, stopped: false, parts: null },
      receiving: { cpuPercent: Math.max(0, receiving), memoryMb: 160, stopped: false, parts: null },
      console: { cpuPercent: 2, memoryMb: 300, stopped: false, parts: null },
    },
    interfaces: [],
    changes: [],
    wireReceiveMbps: 0.4,
    wireTransmitMbps: 0.2,
    loopbackMbps: streams * 257 + wobble * 8 + 3,
    fullestLink: null,
    wireErrors: 0,
    wireDropped: 0,
    tcpRetransmits: 0,
    lostPerSecond: 0,
    latencyP50Ms: streams === 0 ? null : 1.4 + streams * 0.2 + wobble / 5,
    latencyP99Ms: streams === 0 ? null : 5 + streams + wobble,
    streams,
    notMeasured: { gpuPercent: noGpu },
  };
}
