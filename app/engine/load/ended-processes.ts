import type { RoleLoad } from '../../protocol/load';
import { type ProcessTimes, ticksPerSecond } from './cpu';

type Processes = ReadonlyMap<number, ProcessTimes>;

/** What a look saw of our processes, and what those that have ended used. */
export interface EndedLook {
  processes: Processes;
  /** CPU time of processes that this one started, and that ended since the first look; in clock ticks. */
  endedTicks: number;
}

/**
 * The last moments of a process are seen by no look. But the kernel adds all its time to the process that started it
 * when that takes note of its end. So the rise of that sum is what has ended, as soon as a process that was there is gone.
 */
export function lookAtEnded(
  processes: Processes,
  before: EndedLook | null,
  parentId = process.pid,
): EndedLook {
  const [old, now] = [before?.processes.get(parentId), processes.get(parentId)];
  const isKnown = before !== null && old !== undefined && now !== undefined;
  const hasEnded = isKnown && endedBetween(before.processes, processes, parentId).length > 0;
  const rise = hasEnded ? now.childTicks - old.childTicks : 0;
  return { processes, endedTicks: (before?.endedTicks ?? 0) + rise };
}

/** What processes took between two looks until they ended, beyond what the first look saw; null: none ended. */
export function compareEnded(
  before: EndedLook,
  now: EndedLook,
  seconds: number,
  cores: number,
  parentId = process.pid,
): RoleLoad | null {
  const seen = endedBetween(before.processes, now.processes, parentId).reduce(
    (sum, { ticks, childTicks }) => sum + ticks + childTicks,
    0,
  );
  const ticks = now.endedTicks - before.endedTicks - seen;
  if (ticks <= 0) return null;
  const cpuPercent = (100 * ticks) / ticksPerSecond / seconds / cores;
  return { cpuPercent, memoryMb: 0, stopped: false, parts: [{ name: 'ended', cpuPercent, threads: 0 }] };
}

function endedBetween(before: Processes, now: Processes, parentId: number): ProcessTimes[] {
  return [...before].flatMap(([id, times]) => (times.parentId === parentId && !now.has(id) ? times : []));
}
