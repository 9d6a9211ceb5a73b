import { leastLateMs, type Standstill } from '../protocol/standstill';

/** How a thread woke that slept until it was due. All times are of one monotonic clock, ns. */
export interface Wake {
  dueNs: number;
  wokeNs: number;
  /** How long the thread had waited for a processor in its life, before it slept and after it woke; null: the system does not tell. */
  queuedBeforeNs: number | null;
  queuedAfterNs: number | null;
  /** What the hypervisor took of all processors meanwhile, and up to a second before. */
  stolenNs: number;
}

/** What the process was kept from meanwhile; null: it woke in time. */
export function standstillOf({
  dueNs,
  wokeNs,
  queuedBeforeNs,
  queuedAfterNs,
  stolenNs,
}: Wake): Standstill | null {
  const lateNs = wokeNs - dueNs;
  if (lateNs < leastLateMs * 1e6) return null;
  const queuedNs =
    queuedBeforeNs === null || queuedAfterNs === null ? lateNs : queuedAfterNs - queuedBeforeNs;
  // A hypervisor that takes a processor keeps its timers: nothing is in the queue meanwhile.
  const waitedNs = queuedNs + stolenNs;
  return { kind: 2 * waitedNs < lateNs ? 'stopped' : 'starved', fromNs: dueNs, toNs: wokeNs };
}
