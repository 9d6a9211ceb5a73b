import type { LossSample } from '../../app/protocol/console';
import type { LoadSample } from '../../app/protocol/load';
import type { ReportLoad } from '../../app/protocol/report';
import { noGpu } from './fixtures';
import type { Scenario } from './scenarios';

/** Two samples a second, climbing at each mark. */
export function samplesOf(
  { loadPerStream = 0, marks: added = [] }: Scenario,
  fromMs: number,
  toMs: number,
): LoadSample[] {
  const now = Date.now();
  const samples: LoadSample[] = [];
  for (let wallMs = fromMs; wallMs <= toMs; wallMs += 500) {
    const streams = added.filter(({ kind, wallMs: at }) => kind === 'stream' && now + at < wallMs).length;
    samples.push(loadSample(wallMs, streams, loadPerStream));
  }
  return samples;
}

/** Of a machine where each stream costs so many percent of CPU. */
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

export function lossesOf({ losesFrames }: Scenario, fromMs: number, toMs: number): LossSample[] {
  const losses: LossSample[] = [];
  for (let wallMs = fromMs; wallMs <= toMs; wallMs += 500) {
    const isBad = losesFrames && Math.sin(wallMs / 9000) > 0.9;
    losses.push({ wallMs, lostPerSecond: isBad ? 30 + Math.round(Math.sin(wallMs) * 9) : 0 });
  }
  return losses;
}

/** The same over so long, as a report has them. */
export function reportLoadOf(scenario: Scenario, fromMs: number, toMs: number): ReportLoad {
  const samples = samplesOf(scenario, fromMs, toMs);
  const lost = new Map(
    lossesOf(scenario, fromMs, toMs).map(({ wallMs, lostPerSecond }) => [wallMs, lostPerSecond]),
  );
  return {
    wallMs: samples.map(({ wallMs }) => wallMs),
    columns: [
      samples.map(({ cpuPercent }) => cpuPercent),
      samples.map(({ roles }) => roles.sending?.cpuPercent ?? null),
      samples.map(({ roles }) => roles.receiving?.cpuPercent ?? null),
      samples.map(({ gpuPercent }) => gpuPercent),
      samples.map(({ loopbackMbps }) => loopbackMbps),
      samples.map(({ wireTransmitMbps }) => wireTransmitMbps),
      samples.map(({ wireReceiveMbps }) => wireReceiveMbps),
      samples.map(({ latencyP50Ms }) => latencyP50Ms),
      samples.map(({ latencyP99Ms }) => latencyP99Ms),
      samples.map(({ wallMs }) => lost.get(wallMs) ?? null),
    ],
    notMeasured: samples.at(-1)?.notMeasured ?? {},
    samplesPerPoint: 1,
  };
}
