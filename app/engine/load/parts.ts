import type { LoadPart, LoadPartName, RoleLoad } from '../../protocol/load';
import { loadPartNames } from '../../protocol/load';
import { type ProcessTimes, readProcessTimes, ticksPerSecond } from './cpu';
import { readProcessMemoryMb } from './memory';
import { sameThread, type ThreadReader, type ThreadTimes } from './threads';

/** Names that our native threads give themselves (native/base/platform/thread_name.h). */
export const partByThreadName: Readonly<Record<string, LoadPartName>> = {
  'wl-source': 'compose',
  'wl-sender': 'send',
  'wl-time': 'send',
  'wl-receiver': 'receive',
  'wl-look': 'look',
  'wl-read': 'read',
  'wl-decode': 'decode',
  'wl-texture': 'textures',
  'wl-check': 'check',
  'wl-quality': 'check',
  'wl-keep': 'check',
  'wl-wake': 'check',
  'wl-score': 'check',
  'wl-still': 'check',
  'wl-content': 'content',
  'wl-sdk': 'sdk',
};

/** What libndi 6 puts before the names of most of its threads; the others carry the name they were made under. */
const sdkPrefix = /^(?:ndi[a-z]|disc):/;

export function partOfThread(name: string): LoadPartName {
  return partByThreadName[name] ?? (sdkPrefix.test(name) ? 'sdk' : 'runtime');
}

export interface ProcessLook extends ProcessTimes {
  /** Of a stream host only: of other processes the thread is not asked for. */
  byThread: ThreadTimes | null;
}

/** The processes of a role by their ids. */
export type RoleLook = ReadonlyMap<number, ProcessLook>;

export function lookAtRole(role: string, processIds: readonly number[], threads: ThreadReader): RoleLook {
  const look = new Map<number, ProcessLook>();
  for (const id of processIds) {
    const times = readProcessTimes(id);
    if (!times) continue;
    const isHost = wholePart(role, id, times.name) === null;
    look.set(id, { ...times, byThread: isHost ? threads.read(id, times.threads) : null });
  }
  return look;
}

/** The part that a whole process is; null for a stream host, which is divided by its threads. */
function wholePart(role: string, processId: number, name: string): LoadPartName | null {
  if (role === 'console') return processId === process.pid ? 'engine' : 'window';
  return name === 'ffmpeg' ? 'ffmpeg' : null;
}

/**
 * Null when no process of the role runs. Shares of all cores.
 * @param sinceTicks when the first look was, in clock ticks since the start of the machine: of a process that began later all its time counts
 */
export function compareRole(
  role: string,
  before: RoleLook,
  now: RoleLook,
  seconds: number,
  cores: number,
  sinceTicks = Number.POSITIVE_INFINITY,
): RoleLoad | null {
  if (now.size === 0) return null;
  const percentOf = (cpuSeconds: number): number => (100 * cpuSeconds) / seconds / cores;
  const parts = new PartSums();
  let cpuSeconds = 0;
  let memoryMb = 0;
  let isDivided = true;
  let stopped = false;
  let stoppedProcessId: number | undefined;
  for (const [id, after] of now) {
    const old = sameProcess(before, id, after) ?? (after.startTicks >= sinceTicks ? asItBegan(after) : after);
    stopped ||= old.stopped || after.stopped;
    if (after.stopped) stoppedProcessId ??= id;
    const processSeconds = (after.ticks - old.ticks) / ticksPerSecond;
    cpuSeconds += processSeconds;
    memoryMb += readProcessMemoryMb(id) ?? 0;
    const whole = wholePart(role, id, after.name);
    if (whole) parts.add(whole, processSeconds, after.threads);
    else if (after.byThread)
      divide(id, old.byThread ?? after.byThread, after.byThread, processSeconds, parts);
    else isDivided = false;
  }
  return {
    cpuPercent: percentOf(cpuSeconds),
    memoryMb,
    stopped,
    ...(stoppedProcessId !== undefined && { stoppedProcessId }),
    parts: isDivided ? parts.list(percentOf) : null,
  };
}

/**
 * The id of a process that already ran at the first look but was not yet listed as ours: its CPU since then is unknown. Null if none.
 * @param sinceTicks as for `compareRole`
 */
export function lateKnown(before: RoleLook, now: RoleLook, sinceTicks: number): number | null {
  for (const [id, after] of now)
    if (after.startTicks < sinceTicks && !sameProcess(before, id, after)) return id;
  return null;
}

/** The kernel gives the number of a process that ended to another one. */
function sameProcess(before: RoleLook, id: number, { startTicks }: ProcessLook): ProcessLook | null {
  const old = before.get(id);
  return old?.startTicks === startTicks ? old : null;
}

function asItBegan(look: ProcessLook): ProcessLook {
  return { ...look, ticks: 0, stopped: false, byThread: look.byThread && new Map() };
}

/** Adds up the threads of one process, and what it used beyond those that still run. */
function divide(
  processId: number,
  before: ThreadTimes,
  now: ThreadTimes,
  processSeconds: number,
  parts: PartSums,
): void {
  let divided = 0;
  for (const [id, { name, cpuNs }] of now) {
    const seconds = (cpuNs - (sameThread(before, id, cpuNs)?.cpuNs ?? 0)) / 1e9;
    // The first thread has the process's name, whatever it is called.
    parts.add(id === String(processId) ? 'runtime' : partOfThread(name), seconds, 1);
    divided += seconds;
  }
  const rest = processSeconds - divided;
  if (rest > roundingSeconds + roundingShare * processSeconds) parts.add('ended', rest, 0);
}

/** A process's time comes in whole ticks, and that of a thread is brought up to date by the kernel's tick only. */
const roundingSeconds = 2 / ticksPerSecond;
const roundingShare = 0.05;

class PartSums {
  private readonly sums = new Map<LoadPartName, { cpuSeconds: number; threads: number }>();

  add(name: LoadPartName, cpuSeconds: number, threads: number): void {
    const sum = this.sums.get(name) ?? { cpuSeconds: 0, threads: 0 };
    this.sums.set(name, { cpuSeconds: sum.cpuSeconds + cpuSeconds, threads: sum.threads + threads });
  }

  /** In the order of a picture's way. */
  list(percentOf: (cpuSeconds: number) => number): LoadPart[] {
    return loadPartNames.flatMap((name) => {
      const sum = this.sums.get(name);
      return sum ? [{ name, cpuPercent: percentOf(sum.cpuSeconds), threads: sum.threads }] : [];
    });
  }
}
