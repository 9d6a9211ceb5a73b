import type { Fact } from '../../protocol/fact';
import { reasonOf } from '../../protocol/reason-words';
import type { LoadFigures } from './load-figures';
import { resourcesPerNode } from './simulated-node';

/** Longer, and heartbeats may be late for no fault of the registry. */
export const mostStandstillMs = 1000;

export interface LoadJudgement {
  verdict: 'PASS' | 'FAIL' | 'INVALID';
  reason: Fact[];
}

/**
 * Of a load that was held until its end.
 * @param standstillMs the longest time for which its process itself did nothing
 */
export function judgeLoad(figures: LoadFigures, standstillMs: number): LoadJudgement {
  const { nodes, times, heartbeat } = figures;
  const spoilt = standstillFaults(standstillMs);
  if (spoilt.length > 0) return { verdict: 'INVALID', reason: spoilt };
  const faults = [...registrationFaults(figures), ...heartbeatFaults(figures)];
  if (faults.length > 0) return { verdict: 'FAIL', reason: faults };
  const lastSeconds = times?.lastSeconds ?? null;
  const data = { nodes, resourcesPerNode, lastSeconds, heartbeats: heartbeat?.count ?? 0 };
  return { verdict: 'PASS', reason: [reasonOf('nodes-held', data)] };
}

export function standstillFaults(standstillMs: number): Fact[] {
  return standstillMs > mostStandstillMs ? [reasonOf('load-stood-still', { standstillMs })] : [];
}

export function registrationFaults({ nodes, registered, refused }: LoadFigures): Fact[] {
  return [
    ...(registered < nodes ? [reasonOf('nodes-unregistered', { registered, nodes })] : []),
    ...(refused > 0 ? [reasonOf('nodes-refused', { refused })] : []),
  ];
}

export function heartbeatFaults({ heartbeatsMissed: missed, missedBy }: LoadFigures): Fact[] {
  const { none: unanswered = 0, late = 0, '404': unknown = 0 } = missedBy;
  const data = { missed, unanswered, late, unknown, refused: missed - unanswered - late - unknown };
  return missed > 0 ? [reasonOf('heartbeats-missed', data)] : [];
}
