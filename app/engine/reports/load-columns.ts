import type { Loss } from '../../facts/loss';
import type { Row } from '../../facts/row';
import type { LoadSample } from '../../protocol/load';
import { type MachineLoad, type ReportLoad, reportLoadFigures } from '../../protocol/report';
import { lostOverTime } from './lost-over-time';

/** More points than this are neither seen nor needed: a chart is some hundred pixels wide, and is zoomed into. */
export const mostPoints = 5000;

const picks: Record<
  Exclude<(typeof reportLoadFigures)[number], 'lost'>,
  (sample: LoadSample) => number | null
> = {
  cpuMachine: (sample) => sample.cpuPercent,
  cpuSending: (sample) => sample.roles.sending?.cpuPercent ?? null,
  cpuReceiving: (sample) => sample.roles.receiving?.cpuPercent ?? null,
  gpu: (sample) => sample.gpuPercent,
  loopback: (sample) => sample.loopbackMbps,
  wireOut: (sample) => sample.wireTransmitMbps,
  wireIn: (sample) => sample.wireReceiveMbps,
  latencyP50: (sample) => sample.latencyP50Ms ?? null,
  latencyP99: (sample) => sample.latencyP99Ms ?? null,
};

/**
 * The samples of a run as columns. In a very long run, each value is the highest of several samples in a row.
 * @param rows of the run; of another machine none: frames are counted by the console
 * @param between losses that no row has
 */
export function loadColumnsOf(
  samples: readonly LoadSample[],
  rows: readonly Row[],
  most = mostPoints,
  between: readonly Loss[] = [],
): ReportLoad {
  const samplesPerPoint = Math.max(1, Math.ceil(samples.length / most));
  const lost = lostOverTime(samples, rows, between);
  const inPoints = <Kind>(values: readonly Kind[]): Kind[][] => {
    const points: Kind[][] = [];
    for (let first = 0; first < values.length; first += samplesPerPoint)
      points.push(values.slice(first, first + samplesPerPoint));
    return points;
  };
  return {
    wallMs: inPoints(samples).map((point) => Math.round(point.at(-1)?.wallMs ?? 0)),
    columns: reportLoadFigures.map((name) =>
      inPoints(name === 'lost' ? lost : samples.map(picks[name])).map(highest),
    ),
    notMeasured: samples.at(-1)?.notMeasured ?? {},
    samplesPerPoint,
  };
}

/** Samples of the machine that recorded a run. */
export function ownSamplesOf(samples: readonly LoadSample[]): LoadSample[] {
  return samples.filter(({ machine }) => machine === undefined);
}

/** No run has more machines. */
const mostMachines = 64;

/** The same for each other machine of the run. */
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
    load: loadColumnsOf(own, [], most),
  }));
}

function highest(values: (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
