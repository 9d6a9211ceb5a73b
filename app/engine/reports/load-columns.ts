import type { LoadSample } from '../../protocol/load';
import { type MachineLoad, type ReportLoad, reportLoadFigures } from '../../protocol/report';

/** More points than this are neither seen nor needed: a chart is some hundred pixels wide, and is zoomed into. */
export const mostPoints = 5000;

const picks: Record<(typeof reportLoadFigures)[number], (sample: LoadSample) => number | null> = {
  cpuMachine: (sample) => sample.cpuPercent,
  cpuSending: (sample) => sample.roles.sending?.cpuPercent ?? null,
  cpuReceiving: (sample) => sample.roles.receiving?.cpuPercent ?? null,
  gpu: (sample) => sample.gpuPercent,
  loopback: (sample) => sample.loopbackMbps,
  wireOut: (sample) => sample.wireTransmitMbps,
  wireIn: (sample) => sample.wireReceiveMbps,
  latencyP50: (sample) => sample.latencyP50Ms ?? null,
  latencyP99: (sample) => sample.latencyP99Ms ?? null,
  lost: (sample) => sample.lostPerSecond,
};

/** The samples of a run as columns; of a very long one, the highest of so many samples next to each other. */
export function loadColumnsOf(samples: readonly LoadSample[], most = mostPoints): ReportLoad {
  const samplesPerPoint = Math.max(1, Math.ceil(samples.length / most));
  const points: LoadSample[][] = [];
  for (let first = 0; first < samples.length; first += samplesPerPoint)
    points.push(samples.slice(first, first + samplesPerPoint));
  return {
    wallMs: points.map((point) => Math.round(point.at(-1)?.wallMs ?? 0)),
    columns: reportLoadFigures.map((name) => points.map((point) => highest(point.map(picks[name])))),
    notMeasured: samples.at(-1)?.notMeasured ?? {},
    samplesPerPoint,
  };
}

/** Samples of the machine that recorded a run. */
export function ownSamplesOf(samples: readonly LoadSample[]): LoadSample[] {
  return samples.filter(({ machine }) => machine === undefined);
}

/** More machines are none of one run. */
const mostMachines = 64;

/** The same of each other machine of the run. */
export function machineLoadsOf(samples: readonly LoadSample[], most = mostPoints): MachineLoad[] {
  const machines = new Map<string, LoadSample[]>();
  for (const sample of samples) {
    const { machine } = sample;
    if (typeof machine !== 'string') continue;
    const known = machines.get(machine);
    if (known) known.push(sample);
    else if (machines.size < mostMachines) machines.set(machine, [sample]);
  }
  return [...machines].map(([id, own]) => ({
    name: String(own[0]?.host ?? id),
    load: loadColumnsOf(own, most),
  }));
}

function highest(values: (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
