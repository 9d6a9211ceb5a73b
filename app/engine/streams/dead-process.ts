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
  /** How it ended there, as far as its machine or this console says it. */
  words?: string;
  /** It could not be started again. */
  isLost: boolean;
}

/** A shell reports the end by a signal as 128 and its number. */
export function processEndOf(exitCode: number): ProcessEnd {
  const [signal = null] =
    Object.entries(constants.signals).find(([, number]) => number === exitCode - 128) ?? [];
  return { exitCode, signal };
}

/** One of each process that ended in the same way; without its name where that is not known. */
export function deathFacts(code: 'process-died' | 'process-lost', dead: readonly DeadProcess[]): Fact[] {
  const facts = dead.map(({ isLost: _, ...data }) => reasonOf(code, { ...data }));
  const distinct = new Map(facts.map((fact) => [JSON.stringify(fact), fact]));
  return distinct.size > 0 ? [...distinct.values()] : [reasonOf(code)];
}
