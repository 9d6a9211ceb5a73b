import { readdirSync } from 'node:fs';
import type { Standstill } from '../../protocol/standstill';
import { readProc, readProcNumber } from './proc';
import type { ProcessStandstill } from './standstills';

/** Whether a thread could run: stopped by a signal, a debugger or a freezer it cannot. Asleep, or waiting for a disk, it does what it wants. */
type ThreadState = 'stopped' | 'runnable' | 'other';

export interface ThreadLook {
  state: ThreadState;
  /** Time on a processor since it began, ns; null: not known. */
  cpuNs: number | null;
}

/** The threads of a program of others by their numbers, which no other thread has meanwhile. */
export interface ToolLook {
  name: string;
  threads: ReadonlyMap<string, ThreadLook>;
}

/** One look at all of them, by process. */
export interface ToolLooks {
  atNs: number;
  tools: ReadonlyMap<number, ToolLook>;
}

/**
 * Where the second of two looks finds a thread of a program stopped, the program is taken to stand still from the first look on, for one
 * and a half times as long as lies between them: so the length of a stop is known to the time between two looks. Where both find a
 * thread runnable that did not run in between, it was starved from one to the other.
 */
export function toolStandstills(before: ToolLooks, now: ToolLooks): ProcessStandstill[] {
  const fromNs = before.atNs;
  const halfNs = (now.atNs - fromNs) / 2;
  return [...now.tools].flatMap(([id, tool]) => {
    const old = before.tools.get(id);
    // What is about to become the program has another name.
    const kind = old?.name === tool.name ? kindOf(old, tool) : null;
    const toNs = kind === 'stopped' ? now.atNs + halfNs : now.atNs;
    return kind ? { who: { tool: tool.name }, kind, fromNs, toNs } : [];
  });
}

function kindOf(before: ToolLook, now: ToolLook): Standstill['kind'] | null {
  const threads = [...now.threads];
  if (threads.some(([, { state }]) => state === 'stopped')) return 'stopped';
  const isStarved = ([id, { state, cpuNs }]: [string, ThreadLook]): boolean => {
    const old = before.threads.get(id);
    return state === 'runnable' && old?.state === 'runnable' && cpuNs !== null && cpuNs === old.cpuNs;
  };
  return threads.some(isStarved) ? 'starved' : null;
}

export type LookAtTools = (processIds: readonly number[]) => ReadonlyMap<number, ToolLook>;

/** These processes and all that they started, as far as they are there. */
export function lookAtTools(processIds: readonly number[]): Map<number, ToolLook> {
  const tools = new Map<number, ToolLook>();
  const left = [...processIds];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (tools.has(id)) continue;
    const folder = `/proc/${id}`;
    const name = readProc(`${folder}/comm`)?.trimEnd();
    if (name === undefined) continue;
    const threads = threadIds(folder);
    tools.set(id, {
      name,
      threads: new Map(threads.map((thread) => [thread, lookAtThread(folder, thread)])),
    });
    for (const thread of threads) left.push(...childrenOf(`${folder}/task/${thread}`));
  }
  return tools;
}

function threadIds(folder: string): string[] {
  try {
    return readdirSync(`${folder}/task`);
  } catch {
    return [];
  }
}

function childrenOf(thread: string): number[] {
  return (readProc(`${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number);
}

function lookAtThread(folder: string, id: string): ThreadLook {
  const thread = `${folder}/task/${id}`;
  const state = stateOf(readProc(`${thread}/stat`) ?? '');
  const isFrozen = state === 'other' && isInFreezer(readProc(`${thread}/wchan`) ?? '');
  return {
    state: isFrozen ? 'stopped' : state,
    cpuNs: readProcNumber(`${thread}/schedstat`),
  };
}

/** A frozen cgroup has no state of its own: its threads seem to sleep, or to wait for a disk. For freezers of both versions. */
export function isInFreezer(waitsIn: string): boolean {
  return /refrigerator|freezer/.test(waitsIn);
}

/** The letter after the name, which may hold blanks and brackets. */
function stateOf(stat: string): ThreadState {
  const letter = stat[stat.lastIndexOf(')') + 2];
  if (letter === 'T' || letter === 't') return 'stopped';
  return letter === 'R' ? 'runnable' : 'other';
}
