import type { LoadSample, ProcessRole } from '../../protocol/load';
import type { HostLoad } from '../../protocol/row';

/** Largest, mean and 95th percentile (nearest rank) of what was measured; null when nothing was. */
export function summarise(values: (number | null)[]): { max: number; mean: number; p95: number } | null {
  const known = values.filter((value): value is number => value !== null).sort((a, b) => a - b);
  if (known.length === 0) return null;
  const mean = known.reduce((total, value) => total + value, 0) / known.length;
  const p95 = known[Math.ceil(0.95 * known.length) - 1] ?? 0;
  return { max: known[known.length - 1] ?? 0, mean, p95 };
}

export interface HostWindow {
  load: HostLoad;
  notMeasured: Record<string, string>;
}

const noSamples = 'no load sample lies wholly within the row';

/** Load of one side of the streams over the samples of a row. On one machine both sides share the machine's figures. */
export function hostLoad(samples: LoadSample[], role: Exclude<ProcessRole, 'console'>): HostWindow {
  const notMeasured: Record<string, string> = {};
  const reasonOf = (field: string, inSample: string): void => {
    notMeasured[field] =
      samples.length === 0 ? noSamples : (samples[0]?.notMeasured[inSample] ?? 'not measured');
  };
  const cpu = summarise(samples.map((sample) => sample.cpuPercent));
  const gpu = summarise(samples.map((sample) => sample.gpuPercent));
  const network = summarise(samples.map((sample) => sample.loopbackMbps));
  const processCpu = summarise(samples.map((sample) => sample.roles[role]?.cpuPercent ?? null));
  const memory = summarise(samples.map((sample) => sample.roles[role]?.memoryMb ?? null));
  if (!cpu)
    for (const field of ['cpuMaxPercent', 'cpuMeanPercent', 'cpuP95Percent']) reasonOf(field, 'cpuPercent');
  if (!gpu) reasonOf('gpuMaxPercent', 'gpuPercent');
  if (!network) reasonOf('networkMaxMbps', 'network');
  if (!processCpu)
    notMeasured.cpuProcessMaxPercent = samples.length === 0 ? noSamples : `no ${role} process was running`;
  if (!memory) notMeasured.memoryMaxMb = samples.length === 0 ? noSamples : `no ${role} process was running`;
  return {
    load: {
      cpuMaxPercent: cpu?.max ?? null,
      cpuMeanPercent: cpu?.mean ?? null,
      cpuP95Percent: cpu?.p95 ?? null,
      cpuProcessMaxPercent: processCpu?.max ?? null,
      gpuMaxPercent: gpu?.max ?? null,
      networkMaxMbps: network?.max ?? null,
      memoryMaxMb: memory?.max ?? null,
    },
    notMeasured,
  };
}

/** The load of a machine that is not ours to sample. */
export function unknownLoad(reason: string): HostWindow {
  const load: HostLoad = {
    cpuMaxPercent: null,
    cpuMeanPercent: null,
    cpuP95Percent: null,
    cpuProcessMaxPercent: null,
    gpuMaxPercent: null,
    networkMaxMbps: null,
    memoryMaxMb: null,
  };
  return { load, notMeasured: Object.fromEntries(Object.keys(load).map((field) => [field, reason])) };
}

/** Samples whose second lies wholly between two moments. */
export function samplesWithin(samples: LoadSample[], fromNs: number, toNs: number): LoadSample[] {
  return samples.filter((sample) => sample.atNs - 1e9 >= fromNs - 0.1e9 && sample.atNs <= toNs + 0.1e9);
}
