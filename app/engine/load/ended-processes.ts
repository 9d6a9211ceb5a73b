import type { RoleLoad } from '../../protocol/load';
import { type ProcessTimes, ticksPerSecond } from './cpu';

type Processes = ReadonlyMap<number, ProcessTimes>;

/** What a look saw of our processes, and what those that have ended used. */
export interface EndedLook {
  processes: Processes;
  /** CPU time of processes that are gone since the first look, as far as it is known; in clock ticks. */
  endedTicks: number;
  /** Rise since the look before of what the kernel adds up of ended processes, if none was gone; in clock ticks. */
  unexplainedTicks: number;
  /** Processes that ended since the previous look and are not part of that sum yet. */
  unproved: readonly ProcessTimes[];
}

/**
 * The last moments of a process are seen by no look. But the kernel adds all its time to the process that started it
 * when that takes note of its end. So the rise of that sum is what has ended, as soon as a process that was there is gone. Either may
 * be seen first, one look before the other: what one of them leaves waits for a look. A rise that no process explains is of one that
 * no look saw, and a process that is gone without a rise was left to itself.
 */
export function lookAtEnded(
  processes: Processes,
  before: EndedLook | null,
  parentId = process.pid,
): EndedLook {
  if (!before) return { processes, endedTicks: 0, unexplainedTicks: 0, unproved: [] };
  const [old, now] = [before.processes.get(parentId), processes.get(parentId)];
  const rise = old && now ? now.childTicks - old.childTicks : 0;
  const gone = goneBetween(before.processes, processes, parentId);
  // What was seen of them counts at once, the rest as soon as it is known.
  const endedTicks = before.endedTicks + ticksOf(gone);
  const ended = [...before.unproved, ...gone];
  const ticks = ticksOf(ended);
  // Where the newest rise is enough it is theirs: the one before may be of a process that no look saw.
  const ofThem = rise >= ticks ? rise : before.unexplainedTicks + rise;
  const isProved = ended.length > 0 && ofThem > 0 && ofThem >= ticks;
  if (isProved)
    return { processes, endedTicks: endedTicks + ofThem - ticks, unexplainedTicks: 0, unproved: [] };
  return { processes, endedTicks, unexplainedTicks: rise, unproved: gone };
}

/** What processes took between two looks until they ended, beyond what the first look saw; null: none ended. */
export function compareEnded(
  before: EndedLook,
  now: EndedLook,
  seconds: number,
  cores: number,
  parentId = process.pid,
): RoleLoad | null {
  const seen = ticksOf(goneBetween(before.processes, now.processes, parentId));
  const ticks = now.endedTicks - before.endedTicks - seen;
  if (ticks <= 0) return null;
  const cpuPercent = (100 * ticks) / ticksPerSecond / seconds / cores;
  return { cpuPercent, memoryMb: 0, stopped: false, parts: [{ name: 'ended', cpuPercent, threads: 0 }] };
}

/** Those of `before` that this one started, and that `now` has no more. */
function goneBetween(before: Processes, now: Processes, parentId: number): ProcessTimes[] {
  const runsOn = (id: number, { startTicks }: ProcessTimes): boolean =>
    now.get(id)?.startTicks === startTicks;
  return [...before].flatMap(([id, times]) =>
    times.parentId === parentId && !runsOn(id, times) ? times : [],
  );
}

function ticksOf(processes: readonly ProcessTimes[]): number {
  return processes.reduce((sum, { ticks, childTicks }) => sum + ticks + childTicks, 0);
}
