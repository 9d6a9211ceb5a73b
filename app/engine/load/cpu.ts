import { plainLine } from '../../protocol/plain-text';
import { numbersIn, readProc } from './proc';
import { windowsBooks } from './windows-books';

/** Time in which the cores did nothing for this machine, since its start, in clock ticks. */
export interface MachineCpu {
  /** Idle, waiting for a disk included. */
  idle: number;
  /** Given to others by the hypervisor; null: this system never tells it. */
  steal: number | null;
  /** Cores that are switched on. */
  cores: number;
  /** Idle and stolen time of each of them. */
  notBusyByCore: number[];
}

/**
 * Reads /proc/stat: user nice system idle iowait irq softirq steal, then a line for each core. Of these, idle and steal
 * come from clocks; user and system are guessed at each tick of the kernel, so that work which begins after a tick and
 * is done before the next one is never seen there. Busy is therefore what is left of the time that went by.
 */
export function parseMachineCpu(procStat: string): MachineCpu {
  const lines = procStat.split('\n').filter((line) => line.startsWith('cpu'));
  const [all, ...cores] = lines.map((line) => {
    const [, , , idle = 0, ioWait = 0, , , steal = 0] = numbersIn(line.slice(line.indexOf(' ')));
    return { idle: idle + ioWait, steal };
  });
  const notBusyByCore = cores.map(({ idle, steal }) => idle + steal);
  return { idle: all?.idle ?? 0, steal: all?.steal ?? 0, cores: cores.length, notBusyByCore };
}

export function readMachineCpu(): MachineCpu | null {
  const windows = windowsBooks();
  if (windows) return windows.cpu();
  const text = readProc('/proc/stat');
  return text === null ? null : parseMachineCpu(text);
}

/** Shares of all cores between two looks; null if the number of cores changed between them. */
export function compareMachineCpu(
  before: MachineCpu | null,
  now: MachineCpu | null,
  seconds: number,
): { busyPercent: number; busiestCorePercent: number; stealPercent: number | null } | null {
  if (!before || !now || before.cores !== now.cores || now.cores === 0) return null;
  const coreTicks = seconds * ticksPerSecond * now.cores;
  const share = (ticks: number): number => Math.min(100, Math.max(0, (100 * ticks) / coreTicks));
  const stealTicks = now.steal === null || before.steal === null ? null : now.steal - before.steal;
  const leastIdle = now.notBusyByCore.reduce(
    (least, ticks, core) => Math.min(least, ticks - (before.notBusyByCore[core] ?? 0)),
    Number.POSITIVE_INFINITY,
  );
  return {
    busiestCorePercent: share(coreTicks - leastIdle * now.cores),
    busyPercent: share(coreTicks - (now.idle - before.idle) - (stealTicks ?? 0)),
    stealPercent: stealTicks === null ? null : share(stealTicks),
  };
}

/** A program may give itself an empty name. */
const withoutName = 'a program without a name';

export interface ProcessTimes {
  /** As the kernel names it, at most 15 bytes of its file's name, in one line. */
  name: string;
  /** CPU time with all its threads, ended ones included, in clock ticks. */
  ticks: number;
  /** Of the processes that it started, and that ended, in clock ticks. */
  childTicks: number;
  /** When it began, in clock ticks since the start of the machine. */
  startTicks: number;
  /** The process that started it, or took it over. */
  parentId: number;
  /** Threads that it has. */
  threads: number;
  /** Stopped by a signal or a debugger. */
  stopped: boolean;
}

/** Null when the process is gone. */
export function readProcessTimes(processId: number): ProcessTimes | null {
  const windows = windowsBooks();
  if (windows) return windows.processTimes(processId);
  const text = readProc(`/proc/${processId}/stat`);
  return text === null ? null : parseProcessTimes(text);
}

/** State, ppid, utime, stime, cutime, cstime, num_threads and starttime: fields 3, 4, 14 to 17, 20 and 22. The name may hold blanks and brackets. */
export function parseProcessTimes(stat: string): ProcessTimes | null {
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (!Number.isFinite(ticks)) return null;
  return {
    name: plainLine(stat.slice(stat.indexOf('(') + 1, nameEnd).trim()) || withoutName,
    ticks,
    childTicks: Number(fields[13]) + Number(fields[14]),
    startTicks: Number(fields[19]),
    parentId: Number(fields[1]),
    threads: Number(fields[17]),
    stopped: fields[0] === 'T' || fields[0] === 't',
  };
}

/** CPU time of a process with all its threads, in clock ticks (1/100 s), or null when it is gone. */
export function readProcessTicks(processId: number): number | null {
  return readProcessTimes(processId)?.ticks ?? null;
}

/** Ticks per second of the figures in /proc, fixed by the kernel's interface. */
export const ticksPerSecond = 100;
