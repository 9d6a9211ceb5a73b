import type { LoadSample } from '../../protocol/load';
import type { Numbers } from '../../protocol/stream-row';

/** Largest, mean and 95th percentile (nearest rank) of what was measured; null when nothing was. */
export function summarise(values: (number | null)[]): { max: number; mean: number; p95: number } | null {
  const known = values.filter((value): value is number => value !== null).sort((a, b) => a - b);
  if (known.length === 0) return null;
  const mean = known.reduce((total, value) => total + value, 0) / known.length;
  const p95 = known[Math.ceil(0.95 * known.length) - 1] ?? 0;
  return { max: known[known.length - 1] ?? 0, mean, p95 };
}

/** The figure of a sample that tells the traffic of the streams. */
export type Carrier = 'loopbackMbps' | 'wireReceiveMbps';

/** Streams of senders that are not ours come over loopback or from outside: where more came in. */
export function carrierOf(samples: LoadSample[], senderElsewhere: boolean): Carrier {
  const mean = (carrier: Carrier): number => summarise(samples.map((sample) => sample[carrier]))?.mean ?? 0;
  const isOutside = senderElsewhere && mean('wireReceiveMbps') > mean('loopbackMbps');
  return isOutside ? 'wireReceiveMbps' : 'loopbackMbps';
}

const cpuPartNames = ['read', 'decode', 'ffmpeg', 'compose', 'send', 'receive', 'sdk', 'other'] as const;
type CpuParts = Numbers<`cpuParts.${(typeof cpuPartNames)[number]}`>;

/** Load of one side's machine and processes. */
export type HostLoad = CpuParts &
  Numbers<
    | ('cpuMaxPercent' | 'cpuMeanPercent' | 'cpuP95Percent' | 'cpuProcessMaxPercent' | 'gpuMaxPercent')
    | ('networkMaxMbps' | 'wireErrors' | 'wireDropped' | 'tcpRetransmits' | 'memoryMaxMb')
  >;

/** Figures of a row of samples, or the reasons why there are none. */
export interface LoadWindow<Load> {
  load: Load;
  notMeasured: Record<string, string>;
}

export type HostWindow = LoadWindow<HostLoad>;

const noSamples = 'no load sample lies wholly within the row';

/** Load of one side of the streams over the samples of a row. On one machine both sides share the machine's figures. */
export function hostLoad(samples: LoadSample[], role: string, carrier: Carrier = 'loopbackMbps'): HostWindow {
  const notMeasured: Record<string, string> = {};
  const whyNot = (inSample: string): string =>
    samples.length === 0
      ? noSamples
      : (samples.map((sample) => sample.notMeasured[inSample]).find((reason) => reason) ?? 'not measured');
  const roleReason = samples.length === 0 ? noSamples : `no ${role} process was running`;
  /** Notes the reason under each of these fields when there is no value. */
  const known = <Value>(value: Value | null, fields: readonly string[], reason: string): Value | null => {
    if (value === null) for (const field of fields) notMeasured[field] = reason;
    return value;
  };
  const figure = (pick: (sample: LoadSample) => number | null, fields: string[], reason: string) =>
    known(summarise(samples.map(pick)), fields, reason);
  const rise = (field: 'wireErrors' | 'wireDropped' | 'tcpRetransmits'): number | null =>
    known(riseOf(samples.map((sample) => sample[field])), [field], whyNot(field));
  const cpuFields = ['cpuMaxPercent', 'cpuMeanPercent', 'cpuP95Percent'];
  const cpu = figure((sample) => sample.cpuPercent, cpuFields, whyNot('cpuPercent'));
  const processCpu = figure(
    (sample) => sample.roles[role]?.cpuPercent ?? null,
    ['cpuProcessMaxPercent'],
    roleReason,
  );
  const parts = known(
    partMeans(samples, role),
    Object.keys(noParts),
    processCpu ? whyNot(`roles.${role}.parts`) : roleReason,
  );
  const gpu = figure((sample) => sample.gpuPercent, ['gpuMaxPercent'], whyNot('gpuPercent'));
  const network = figure((sample) => sample[carrier], ['networkMaxMbps'], whyNot(carrier));
  const memory = figure((sample) => sample.roles[role]?.memoryMb ?? null, ['memoryMaxMb'], roleReason);
  return {
    load: {
      cpuMaxPercent: cpu?.max ?? null,
      cpuMeanPercent: cpu?.mean ?? null,
      cpuP95Percent: cpu?.p95 ?? null,
      cpuProcessMaxPercent: processCpu?.max ?? null,
      ...(parts ?? noParts),
      gpuMaxPercent: gpu?.max ?? null,
      networkMaxMbps: network?.max ?? null,
      wireErrors: rise('wireErrors'),
      wireDropped: rise('wireDropped'),
      tcpRetransmits: rise('tcpRetransmits'),
      memoryMaxMb: memory?.max ?? null,
    },
    notMeasured,
  };
}

/** Samples overlap, two to a second: every second one counts. Null as soon as one of these is not known. */
function riseOf(counts: (number | null)[]): number | null {
  const tiled = counts.filter((_, index) => index % 2 === 0);
  if (tiled.length === 0 || tiled.includes(null)) return null;
  return tiled.reduce<number>((total, value) => total + (value ?? 0), 0);
}

const noParts = partsOf(() => null);

function partsOf(figure: (name: string) => number | null): CpuParts {
  return Object.fromEntries(cpuPartNames.map((name) => [`cpuParts.${name}`, figure(name)])) as CpuParts;
}

/** Over the samples that tell the parts; a part without a thread took none of the time. */
function partMeans(samples: LoadSample[], role: string): CpuParts | null {
  const told = samples.flatMap((sample) => sample.roles[role]?.parts ?? []);
  const divided = samples.filter((sample) => sample.roles[role]?.parts).length;
  if (divided === 0) return null;
  const mean = (of: (name: string) => boolean): number =>
    told.filter(({ name }) => of(name)).reduce((total, part) => total + part.cpuPercent, 0) / divided;
  const isNamed = (name: string): boolean => cpuPartNames.some((known) => known === name);
  return partsOf((name) => mean(name === 'other' ? (part) => !isNamed(part) : (part) => part === name));
}

/** Mean CPU load of this machine that is not ours: none of our processes took it. Null where it was not measured. */
export function othersCpuPercent(samples: LoadSample[]): number | null {
  const others = samples.map(({ cpuPercent, roles }) => {
    if (cpuPercent === null) return null;
    const own = Object.values(roles).reduce((total, role) => total + (role?.cpuPercent ?? 0), 0);
    return Math.max(0, cpuPercent - own);
  });
  return summarise(others)?.mean ?? null;
}

/** What the instrument itself took, besides the hosts. */
export function instrumentLoad(
  samples: LoadSample[],
): LoadWindow<Numbers<'engineCpuMeanPercent' | 'windowCpuMeanPercent'>> {
  const notMeasured: Record<string, string> = {};
  const mean = (part: 'engine' | 'window'): number | null => {
    const value = (sample: LoadSample): number | null =>
      sample.roles.console?.parts?.find(({ name }) => name === part)?.cpuPercent ?? null;
    const figure = summarise(samples.map(value))?.mean ?? null;
    if (figure === null)
      notMeasured[`${part}CpuMeanPercent`] = samples.length === 0 ? noSamples : `no ${part} was running`;
    return figure;
  };
  return {
    load: { engineCpuMeanPercent: mean('engine'), windowCpuMeanPercent: mean('window') },
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
    ...noParts,
    gpuMaxPercent: null,
    networkMaxMbps: null,
    wireErrors: null,
    wireDropped: null,
    tcpRetransmits: null,
    memoryMaxMb: null,
  };
  return { load, notMeasured: Object.fromEntries(Object.keys(load).map((field) => [field, reason])) };
}

/** The machine of a sender elsewhere, of which it told how busy it was in each second. */
export function toldLoad(
  told: readonly { cpuPercent: number | null; gpuPercent: number | null }[],
  reason: string,
): HostWindow {
  const { load, notMeasured } = unknownLoad(reason);
  const cpu = summarise(told.map(({ cpuPercent }) => cpuPercent));
  const gpu = summarise(told.map(({ gpuPercent }) => gpuPercent));
  const figures = {
    cpuMaxPercent: cpu?.max ?? null,
    cpuMeanPercent: cpu?.mean ?? null,
    cpuP95Percent: cpu?.p95 ?? null,
    gpuMaxPercent: gpu?.max ?? null,
  };
  for (const [field, value] of Object.entries(figures)) {
    if (value !== null) delete notMeasured[field];
    else if (told.length > 0) notMeasured[field] = 'the sender does not tell it';
  }
  return { load: { ...load, ...figures }, notMeasured };
}

/** Samples whose second lies wholly between two moments. */
export function samplesWithin(samples: LoadSample[], fromNs: number, toNs: number): LoadSample[] {
  return samples.filter((sample) => sample.atNs - 1e9 >= fromNs - 0.1e9 && sample.atNs <= toNs + 0.1e9);
}
