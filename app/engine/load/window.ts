import { figuresWithReasons, type ReasonedNumber } from '../../facts/reasoned';
import type { Numbers } from '../../facts/stream-row';
import type { LoadSample } from '../../protocol/load';
import type { SharedLoad } from '../../protocol/shared-records';
import { wholeMachineGpu } from './gpu';
import { type LoadSums, noSamples, type RoleSums } from './load-sums';
import { PartlyKnown } from './partly-known';

/** Largest, mean and 95th percentile (nearest rank) of what was measured; null when nothing was. */
export function summarise(values: (number | null)[]): { max: number; mean: number; p95: number } | null {
  const known = values.filter((value): value is number => value !== null).sort((a, b) => a - b);
  if (known.length === 0) return null;
  const mean = known.reduce((total, value) => total + value, 0) / known.length;
  const p95 = known[Math.ceil(0.95 * known.length) - 1] ?? 0;
  return { max: known[known.length - 1] ?? 0, mean, p95 };
}

/** The figure of a sample that reports the traffic of the streams. */
export type Carrier = 'loopbackMbps' | 'wireReceiveMbps' | 'wireTransmitMbps';

/** Less traffic is not that of a stream. */
const leastTrafficMbps = 1;

/**
 * Where the streams of a machine are counted. One whose other end is known to be on another machine comes from outside, or goes there.
 * Where that is not known they travel over loopback or outside: where there was more traffic their way. Where there was none, outside:
 * loopback has no link that could be down.
 * @param elsewhere the end that is not on this machine, or not known to be; null: both are
 * @param isOutside that end is known to be on another machine
 */
export function carrierOf(
  load: Pick<LoadSums, Carrier>,
  elsewhere: 'sender' | 'receiver' | null,
  isOutside = false,
): Carrier {
  if (elsewhere === null) return 'loopbackMbps';
  const outside = elsewhere === 'sender' ? 'wireReceiveMbps' : 'wireTransmitMbps';
  const insideMbps = load.loopbackMbps.mean ?? 0;
  const isInside = !isOutside && insideMbps >= leastTrafficMbps && insideMbps >= (load[outside].mean ?? 0);
  return isInside ? 'loopbackMbps' : outside;
}

/** Whether any of them could belong to a stream. */
export function hasTraffic(load: Pick<LoadSums, Carrier>): boolean {
  return [load.loopbackMbps, load.wireReceiveMbps].some(({ mean }) => (mean ?? 0) >= leastTrafficMbps);
}

const cpuPartNames = ['read', 'decode', 'ffmpeg', 'compose', 'send', 'receive', 'sdk', 'other'] as const;
type CpuParts = Numbers<`cpuParts.${(typeof cpuPartNames)[number]}`>;

/** Load of one side's machine and processes. */
export type HostLoad = CpuParts &
  Numbers<
    | ('cpuMaxPercent' | 'cpuMeanPercent' | 'cpuP95Percent' | 'othersCpuMeanPercent')
    | ('cpuProcessMaxPercent' | 'gpuMaxPercent' | 'gpuProcessMaxPercent')
    | ('networkMaxMbps' | 'wireErrors' | 'wireDropped' | 'tcpRetransmits' | 'memoryMaxMb')
  >;

/** Figures of a row of samples, or the reasons why there are none. */
export interface LoadWindow<Load> {
  load: Load;
  notMeasured: Record<string, string>;
}

export type HostWindow = LoadWindow<HostLoad>;

/** Load of one side of the streams over the samples of a row. On one machine both sides share the machine's figures. */
export function hostLoad(sums: LoadSums, role: string, carrier: Carrier = 'loopbackMbps'): HostWindow {
  const roleReason =
    sums.samples === 0
      ? noSamples
      : (sums.notMeasured.get(`roles.${role}`) ?? `no ${role} process was running`);
  const roleSums = sums.role(role);
  const { cpuPercent, memoryMb } = roleSums;
  const hasRun = cpuPercent.max !== null;
  const noCpu = sums.whyNot('cpuPercent');
  const noSdk = sums.notMeasured.get(`roles.${role}.parts.sdk`);
  const { figures: load, notMeasured } = figuresWithReasons({
    cpuMaxPercent: [sums.cpuPercent.max, noCpu],
    cpuMeanPercent: [sums.cpuPercent.mean, noCpu],
    cpuP95Percent: [sums.cpuP95Percent, noCpu],
    othersCpuMeanPercent: [
      sums.othersCpuPercent.meanOfAll(),
      sums.othersCpuPercent.whyUnknown() ?? noSamples,
    ],
    cpuProcessMaxPercent: [cpuPercent.max, roleReason],
    ...reasonedParts(
      partMeans(roleSums) ?? noParts,
      hasRun ? sums.whyNot(`roles.${role}.parts`) : roleReason,
    ),
    ...(hasRun && noSdk !== undefined && { 'cpuParts.sdk': [null, noSdk] }),
    gpuMaxPercent: [sums.gpuPercent.max, sums.whyNot('gpuPercent')],
    gpuProcessMaxPercent: [
      roleSums.gpuPercent.max,
      hasRun ? (sums.notMeasured.get('gpuPercent') ?? wholeMachineGpu) : roleReason,
    ],
    networkMaxMbps: [sums[carrier].max, sums.whyNot(carrier)],
    wireErrors: [sums.wireErrors.total, sums.whyNot('wireErrors')],
    wireDropped: [sums.wireDropped.total, sums.whyNot('wireDropped')],
    tcpRetransmits: [sums.tcpRetransmits.total, sums.whyNot('tcpRetransmits')],
    memoryMaxMb: [memoryMb.max, roleReason],
  });
  return { load, notMeasured };
}

/** What our own processes carried of the streams. */
export interface OwnTraffic {
  mbps: number | null;
  /** Why it is not measured, where it is not. */
  reason: string;
}

/** Of streams that we send, what we sent; of those that others send, what we received. */
export function ownTraffic(sums: LoadSums, isSenderRemote: boolean): OwnTraffic {
  const role = isSenderRemote ? 'receiving' : 'sending';
  const sumsOfRole = sums.role(role);
  const mbps = sumsOfRole.trafficMbps(isSenderRemote ? 'receivedMbps' : 'sentMbps');
  if (sums.samples === 0) return { mbps, reason: noSamples };
  if (sumsOfRole.cpuPercent.max === null) return { mbps, reason: `no ${role} process was running` };
  return { mbps, reason: sums.notMeasured.get(`roles.${role}.traffic`) ?? 'not measured' };
}

const noParts = partsOf(() => null);

function partsOf(figure: (name: string) => number | null): CpuParts {
  return Object.fromEntries(cpuPartNames.map((name) => [`cpuParts.${name}`, figure(name)])) as CpuParts;
}

function reasonedParts(parts: CpuParts, reason: string): Readonly<Record<keyof CpuParts, ReasonedNumber>> {
  const entries = Object.entries<number | null>(parts).map(([name, value]) => [name, [value, reason]]);
  return Object.fromEntries(entries) as Record<keyof CpuParts, ReasonedNumber>;
}

/** Null if no sample reports the parts. */
function partMeans(role: RoleSums): CpuParts | null {
  const isNamed = (name: string): boolean => cpuPartNames.some((known) => known === name);
  if (role.partMean(isNamed) === null) return null;
  return partsOf((name) =>
    role.partMean(name === 'other' ? (part) => !isNamed(part) : (part) => part === name),
  );
}

/** What the instrument itself took, besides the hosts. */
export function instrumentLoad(
  sums: LoadSums,
): LoadWindow<Numbers<'engineCpuMeanPercent' | 'windowCpuMeanPercent'>> {
  const mean = (part: 'engine' | 'window'): ReasonedNumber => [
    sums.role('console').reportedMean(part),
    sums.samples === 0 ? noSamples : (sums.notMeasured.get('roles.console') ?? `no ${part} was running`),
  ];
  const { figures: load, notMeasured } = figuresWithReasons({
    engineCpuMeanPercent: mean('engine'),
    windowCpuMeanPercent: mean('window'),
  });
  return { load, notMeasured };
}

/** The load of a machine that is not ours to sample. */
export function unknownLoad(reason: string): HostWindow {
  const load: HostLoad = {
    cpuMaxPercent: null,
    cpuMeanPercent: null,
    cpuP95Percent: null,
    othersCpuMeanPercent: null,
    cpuProcessMaxPercent: null,
    ...noParts,
    gpuMaxPercent: null,
    gpuProcessMaxPercent: null,
    networkMaxMbps: null,
    wireErrors: null,
    wireDropped: null,
    tcpRetransmits: null,
    memoryMaxMb: null,
  };
  return { load, notMeasured: Object.fromEntries(Object.keys(load).map((field) => [field, reason])) };
}

export const notReported = 'the sender does not report it';

/** What others took of a remote sender's machine. Reports of several senders come one sender after the other. */
export function reportedOthers(
  reported: readonly (Pick<SharedLoad, 'othersPercent'> & { atNs: number })[],
): PartlyKnown {
  const others = new PartlyKnown();
  const inOrder = [...reported].sort((a, b) => a.atNs - b.atNs);
  for (const { atNs, othersPercent } of inOrder) others.add(atNs, othersPercent ?? notReported);
  return others;
}

/**
 * The load that the machine of a remote sender reported for each second.
 * @param reason why the load is missing
 */
export function reportedLoad(
  reported: readonly (Pick<SharedLoad, 'cpuPercent' | 'gpuPercent' | 'othersPercent'> & { atNs: number })[],
  reason: string,
): HostWindow {
  const { load, notMeasured } = unknownLoad(reason);
  const cpu = summarise(reported.map(({ cpuPercent }) => cpuPercent));
  const gpu = summarise(reported.map(({ gpuPercent }) => gpuPercent));
  const figures = {
    cpuMaxPercent: cpu?.max ?? null,
    cpuMeanPercent: cpu?.mean ?? null,
    cpuP95Percent: cpu?.p95 ?? null,
    gpuMaxPercent: gpu?.max ?? null,
    othersCpuMeanPercent: reportedOthers(reported).meanOfAll(),
  };
  for (const [field, value] of Object.entries(figures)) {
    if (value !== null) delete notMeasured[field];
    else if (reported.length > 0) notMeasured[field] = notReported;
  }
  return { load: { ...load, ...figures }, notMeasured };
}

/** Samples, oldest first, whose second lies wholly between two moments; mostly the newest few are asked for. */
export function samplesWithin(samples: readonly LoadSample[], fromNs: number, toNs: number): LoadSample[] {
  let first = samples.length;
  while (first > 0 && (samples[first - 1]?.atNs ?? 0) >= fromNs + 0.9e9) first -= 1;
  return samples.slice(first).filter((sample) => sample.atNs <= toNs + 0.1e9);
}
