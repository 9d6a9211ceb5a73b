import type { Guard } from '../../../facts/precedence';
import { defaultThresholds, type Thresholds } from '../../../protocol/thresholds';
import type { LoadSums } from '../../load/load-sums';
import { othersGuard } from '../../load/others-guard';
import type { PartlyKnown } from '../../load/partly-known';
import { notReported, reportedOthers, summarise } from '../../load/window';
import type { ReportedLoad } from './reported-load';

/** How busy the CPU or the GPU of a machine was. */
export interface DeviceLoad {
  /** At its worst, %; null: not measured. */
  busiestPercent: number | null;
  /** What our processes did not take of it, mean, %; null: not measured. */
  othersPercent: number | null;
  /** Why that is not measured, where it is not. */
  noOthers: string;
}

/** Load of one end's machine: at the time of what went wrong there, otherwise in the row. */
export interface EndLoad {
  cpu: DeviceLoad;
  gpu: DeviceLoad;
  /** CPU that the hypervisor gave to others, the most in any second, %; null: not measured. */
  stolenPercent: number | null;
  /** Its machine, where the run has more than one. */
  machine?: string;
  /** It is another machine: only what it reports is known. */
  isElsewhere: boolean;
}

type Limits = Pick<Thresholds, 'saturatedPercent' | 'maxOthersPercent'>;
/** What decides whether figures that are known in part stand for the whole. */
export type KnownLimits = Pick<Thresholds, 'saturatedPercent' | 'maxSampleGapSeconds' | 'maxOthersPercent'>;

const devices = ['cpu', 'gpu'] as const;
type Device = (typeof devices)[number];

/**
 * Load of a sampled machine over these samples.
 * @param machine its name, if the run has more than one
 */
export function endLoadOf(
  sums: LoadSums,
  limits: KnownLimits = defaultThresholds,
  machine?: string,
): EndLoad {
  const { cpuPercent, gpuPercent, gpuWithoutOthers, othersCpuPercent, othersGpuPercent } = sums;
  const gpu = deviceLoad(gpuPercent.max, othersGpuPercent, limits, sums.whyNot('gpuOthersPercent'));
  // The level is of the busiest GPU, which may be another one in each sample: what others took has to be of the one that was full.
  const decisive = Math.min(gpu.busiestPercent ?? 100, limits.saturatedPercent);
  const isOfAnother = (gpuWithoutOthers.max ?? -1) >= decisive;
  return {
    cpu: deviceLoad(cpuPercent.max, othersCpuPercent, limits, sums.whyNot('cpuPercent')),
    gpu: isOfAnother ? { ...gpu, othersPercent: null } : gpu,
    stolenPercent: sums.cpuStealPercent.max,
    isElsewhere: false,
    ...(machine !== undefined && { machine }),
  };
}

/** Load of a machine elsewhere, as it reports it. */
export function elsewhereLoad(
  reported: readonly ReportedLoad[],
  limits: KnownLimits = defaultThresholds,
): EndLoad {
  const most = (figure: (load: ReportedLoad) => number | null) =>
    summarise(reported.map(figure))?.max ?? null;
  return {
    cpu: deviceLoad(
      most(({ cpuPercent }) => cpuPercent),
      reportedOthers(reported),
      limits,
      notReported,
    ),
    gpu: {
      busiestPercent: most(({ gpuPercent }) => gpuPercent),
      ...{ othersPercent: null, noOthers: notReported },
    },
    stolenPercent: most(({ stealPercent }) => stealPercent),
    isElsewhere: true,
  };
}

function deviceLoad(
  busiestPercent: number | null,
  others: PartlyKnown,
  { maxSampleGapSeconds, maxOthersPercent }: KnownLimits,
  otherwise: string,
): DeviceLoad {
  const { mostMean } = others;
  // Too little to matter, even with all that is not known to be ours.
  const most = mostMean !== null && mostMean < maxOthersPercent ? mostMean : null;
  const othersPercent = others.meanOfAll(maxSampleGapSeconds) ?? most;
  return { busiestPercent, othersPercent, noOthers: others.whyUnknown(maxSampleGapSeconds) ?? otherwise };
}

/** Without what others took, which was not measured when it matters. */
export function withoutOthers(end: EndLoad, noOthers: string): EndLoad {
  const nobody = { othersPercent: null, noOthers };
  return { ...end, cpu: { ...end.cpu, ...nobody }, gpu: { ...end.gpu, ...nobody } };
}

export function isMeasured({ cpu, gpu }: EndLoad): boolean {
  return cpu.busiestPercent !== null || gpu.busiestPercent !== null;
}

/**
 * The higher value of each figure at two times. What others took, and what was stolen, is unknown if it is unknown at one of them, which
 * may be the time when it was highest.
 */
export function higherLoad(a: EndLoad, b: EndLoad): EndLoad {
  const of = (device: Device): DeviceLoad => {
    const times = [a[device], b[device]];
    const busiestPercent = higher(a[device].busiestPercent, b[device].busiestPercent);
    const unknown = times.find((one) => one.busiestPercent !== null && one.othersPercent === null);
    if (unknown) return { ...unknown, busiestPercent };
    const othersPercent = higher(a[device].othersPercent, b[device].othersPercent);
    return { busiestPercent, othersPercent, noOthers: b[device].noOthers };
  };
  const isStolenKnown = a.stolenPercent !== null && b.stolenPercent !== null;
  const stolenPercent = isStolenKnown ? higher(a.stolenPercent, b.stolenPercent) : null;
  const { isElsewhere, machine } = b;
  return {
    ...{ cpu: of('cpu'), gpu: of('gpu'), stolenPercent, isElsewhere },
    ...(machine !== undefined && { machine }),
  };
}

/** CPU or GPU, whichever was busier at its worst. */
export function busierOf({ cpu, gpu }: EndLoad): DeviceLoad & { isGpu: boolean } {
  const isGpu = (gpu.busiestPercent ?? -1) > (cpu.busiestPercent ?? -1);
  return { ...(isGpu ? gpu : cpu), isGpu };
}

/** The machine was at its limit, whatever took it there. */
export function isFull(end: EndLoad, { saturatedPercent }: Pick<Limits, 'saturatedPercent'>): boolean {
  return devices.some((device) => (end[device].busiestPercent ?? 0) >= saturatedPercent);
}

/** Our own streams took its CPU or its GPU to the limit: others, and the hypervisor, are known to have taken little of it. */
export function isFilledByUs(
  end: EndLoad,
  { saturatedPercent, maxOthersPercent, maxStealPercent }: Limits & Pick<Thresholds, 'maxStealPercent'>,
): boolean {
  if ((end.stolenPercent ?? 100) > maxStealPercent) return false;
  return devices.some((device) => {
    const { busiestPercent, othersPercent } = end[device];
    const isTaken = othersPercent === null || othersPercent >= maxOthersPercent;
    return (busiestPercent ?? 0) >= saturatedPercent && !isTaken;
  });
}

/** Whether other programs took little of the CPU and of the GPU, at each end. */
export function othersGuards(ends: readonly EndLoad[], limits: Limits): Guard[] {
  return devices.map((device) => deviceGuard(device, ends, limits));
}

/** The same for one of the two devices. */
export function deviceGuard(device: Device, ends: readonly EndLoad[], limits: Limits): Guard {
  const most = ends.reduce<EndLoad | null>(
    (worst, end) => ((end[device].othersPercent ?? -1) > (worst?.[device].othersPercent ?? -1) ? end : worst),
    null,
  );
  const percent = most?.[device].othersPercent ?? null;
  const isTooMuch = percent !== null && percent >= limits.maxOthersPercent;
  const unknown = ends.find((end) => mayBeTaken(device, end, limits));
  const named = isTooMuch ? most : unknown;
  const isSenders = named?.isElsewhere === true;
  const whyUnknown = unknown ? unknown[device].noOthers : null;
  return othersGuard({ percent, whyUnknown }, limits, {
    ...{ isGpu: device === 'gpu', isSenders, machine: named?.machine },
  });
}

/**
 * What others took is unknown, and may be too much: they took at most what all took. A GPU that is not full and a machine elsewhere are not
 * suspected: many GPUs and all other machines do not say whose work they do, and neither is the instrument.
 */
function mayBeTaken(device: Device, end: EndLoad, { saturatedPercent, maxOthersPercent }: Limits): boolean {
  const { busiestPercent, othersPercent } = end[device];
  if (othersPercent !== null) return false;
  return device === 'cpu' && !end.isElsewhere
    ? (busiestPercent ?? 100) >= maxOthersPercent
    : (busiestPercent ?? 0) >= saturatedPercent;
}

function higher(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
