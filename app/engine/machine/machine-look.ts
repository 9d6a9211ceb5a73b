import type { Clock } from '../../protocol/clock';
import { type MachineCpu, type ProcessTimes, readMachineCpu, readProcessTimes } from '../load/cpu';
import { readProc } from '../load/proc';
import { windowsBooks } from '../load/windows-books';
import { namesIn, readAmount } from './facts';

/** What may disturb a measurement, read at one moment. Linux; elsewhere each part is null. */
export interface MachineLook {
  atNs: number;
  cpu: MachineCpu | null;
  /** Interrupts and context switches since the start of the machine. */
  interrupts: number | null;
  contextSwitches: number | null;
  processes: ReadonlyMap<number, ProcessTimes> | null;
  /** Of each core that reports its own. */
  frequenciesMhz: readonly number[];
  /** How often the processor slowed itself down for heat since the start of the machine. */
  throttles: number | null;
}

export function lookAtMachine(clock: Pick<Clock, 'monotonicNs'>): MachineLook {
  return {
    atNs: clock.monotonicNs(),
    cpu: readMachineCpu(),
    ...parseKernelCounts(readProc('/proc/stat') ?? ''),
    processes: readProcesses(),
    frequenciesMhz: readFrequenciesMhz(),
    throttles: readThrottles(),
  };
}

/** Of /proc/stat. A machine that runs has had both: 0 is written by systems that do not count them. */
export function parseKernelCounts(procStat: string): Pick<MachineLook, 'interrupts' | 'contextSwitches'> {
  const counter = (name: string): number | null =>
    Number(new RegExp(`^${name} (\\d+)`, 'm').exec(procStat)?.[1] ?? 0) || null;
  return { interrupts: counter('intr'), contextSwitches: counter('ctxt') };
}

function readProcesses(): MachineLook['processes'] {
  const ids =
    windowsBooks()?.processIds() ??
    namesIn('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  if (ids.length === 0) return null;
  return new Map(
    ids.flatMap((id): [number, ProcessTimes][] => {
      const times = readProcessTimes(id);
      return times ? [[id, times]] : [];
    }),
  );
}

const processorFolder = '/sys/devices/system/cpu';

function coresIn(folder: string): string[] {
  return namesIn(folder).filter((name) => /^cpu\d+$/.test(name));
}

export function readFrequenciesMhz(folder = processorFolder): number[] {
  return coresIn(folder).flatMap((core) => {
    const kilohertz = readAmount(`${folder}/${core}/cpufreq/scaling_cur_freq`);
    return kilohertz === null ? [] : [kilohertz / 1000];
  });
}

/** Each core has its own counter; each also reports the counter of its package. */
export function readThrottles(folder = processorFolder): number | null {
  const counters = (name: string): number[] =>
    coresIn(folder).flatMap((core) => readAmount(`${folder}/${core}/thermal_throttle/${name}`) ?? []);
  const ofCores = counters('core_throttle_count');
  const ofPackages = counters('package_throttle_count');
  if (ofCores.length + ofPackages.length === 0) return null;
  return ofCores.reduce((total, times) => total + times, 0) + Math.max(0, ...ofPackages);
}
