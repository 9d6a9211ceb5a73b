import { constants } from 'node:os';
import type { Fact } from '../../facts/fact';
import type { ProcessEnd } from '../../facts/process-end';
import { reasonOf } from '../../facts/reason-words';
import type { HostRole } from '../host-application';

/** A process of a host that died. */
export interface DeadProcess extends ProcessEnd {
  role: HostRole;
  number: number;
  /** Where it ran, where that was another machine. */
  machine?: string;
  /** For a process on another machine: why it died, as it follows "the process", if that was said. */
  why?: string;
  /** Since when its machine was out of reach, and when it was given up for that; wall times, ISO 8601. `to`: by then it was back. */
  unreachable?: { from: string; givenUpAt: string; to?: string };
  /** For a process on another machine: up to when it had reported, ns of our monotonic clock. Later records died with it. */
  reportedToNs?: number;
  /** It could not be started again. */
  isLost: boolean;
}

/** A shell reports the end by a signal as 128 and its number. */
export function processEndOf(exitCode: number): ProcessEnd {
  const [signal = null] =
    Object.entries(constants.signals).find(([, number]) => number === exitCode - 128) ?? [];
  return { exitCode, signal };
}

/** One of each process that ended in the same way; without its name where that is not known. One of each machine that was out of reach. */
export function deathFacts(code: 'process-died' | 'process-lost', dead: readonly DeadProcess[]): Fact[] {
  const distinct = new Map<string, Fact>();
  for (const one of dead) {
    const { machine, unreachable } = one;
    if (machine !== undefined && unreachable) {
      // Its processes are given up one after the other.
      const { from, givenUpAt, to } = unreachable;
      const key = `${machine} ${from}`;
      const end = to === undefined ? { givenUpAt } : { to };
      // One of two processes may be back before the other.
      if (!distinct.has(key) || to !== undefined)
        distinct.set(key, reasonOf('machine-unreachable', { machine, from, ...end }));
      continue;
    }
    const fact = reasonOf(code, deathData(one, dead));
    distinct.set(JSON.stringify(fact), fact);
  }
  return distinct.size > 0 ? [...distinct.values()] : [reasonOf(code)];
}

/** All that was lost with a machine ended in one way, and is said once. */
function deathData(
  { isLost: _, unreachable: __, reportedToNs: ___, ...one }: DeadProcess,
  dead: readonly DeadProcess[],
): Partial<Omit<DeadProcess, 'isLost' | 'unreachable' | 'reportedToNs'>> {
  const { machine, why, role } = one;
  if (machine === undefined || why === undefined) return { ...one };
  const others = dead.filter((other) => other.machine === machine && other.why === why);
  return { machine, why, ...(others.every((other) => other.role === role) && { role }) };
}
