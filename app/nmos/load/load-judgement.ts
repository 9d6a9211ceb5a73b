import type { Fact } from '../../protocol/fact';
import { reasonOf } from '../../protocol/reason-words';
import type { LoadFigures } from './load-figures';
import { resourcesPerNode } from './simulated-node';
import type { Standstill } from './standstill';

/** After a longer stall, heartbeats may be late without a fault of the registry. */
export const mostStandstillMs = 1000;
/** Above this, the run measures the load process and not the registry. */
export const mostStandstillPercent = 40;

export interface LoadJudgement {
  verdict: 'PASS' | 'FAIL' | 'INVALID';
  reason: Fact[];
}

/**
 * Of a load that was held until its end.
 * @param standstill of the load process
 * @param lateSeconds the time limit, if some nodes took longer; otherwise null
 */
export function judgeLoad(
  figures: LoadFigures,
  standstill: Standstill,
  lateSeconds: number | null,
): LoadJudgement {
  const { nodes, times, heartbeat } = figures;
  const spoilt = standstillFaults('load-stood-still', standstill);
  if (spoilt.length > 0) return { verdict: 'INVALID', reason: spoilt };
  const faults = [...registrationFaults(figures, lateSeconds), ...heartbeatFaults(figures)];
  if (faults.length > 0) return { verdict: 'FAIL', reason: faults };
  const lastSeconds = times?.lastSeconds ?? null;
  const data = { nodes, resourcesPerNode, lastSeconds, heartbeats: heartbeat?.count ?? 0 };
  return { verdict: 'PASS', reason: [reasonOf('nodes-held', data)] };
}

/** @param code names the process */
export function standstillFaults(
  code: 'load-stood-still' | 'controller-stood-still',
  { standstillMs, standstillPercent }: Standstill,
): Fact[] {
  if (standstillMs > mostStandstillMs) return [reasonOf(code, { standstillMs })];
  return standstillPercent > mostStandstillPercent
    ? [reasonOf(code, { standstillPercent, limitPercent: mostStandstillPercent })]
    : [];
}

/** @param waitSeconds the time limit, if some nodes took longer; null: all were in time */
export function lateFaults(nodes: number, waitSeconds: number | null): Fact[] {
  return waitSeconds === null ? [] : [reasonOf('nodes-late', { nodes, waitSeconds })];
}

export function registrationFaults(
  { nodes, registered, refused, answers }: LoadFigures,
  lateSeconds: number | null,
): Fact[] {
  const causes = causesText(answers.registration);
  return [
    ...(registered < nodes
      ? [reasonOf('nodes-unregistered', { registered, nodes, causes })]
      : lateFaults(nodes, lateSeconds)),
    ...(refused > 0 ? [reasonOf('nodes-refused', { refused })] : []),
  ];
}

/** Bad answers to registrations: "no answer: 750, 503: 3"; empty where all was well. */
function causesText(answers: Readonly<Record<string, number>>): string {
  const bad = Object.entries(answers).filter(([status]) => status !== '200' && status !== '201');
  if (Object.keys(answers).length === 0) return 'no registration was answered yet';
  return bad.map(([status, count]) => `${status === 'none' ? 'no answer' : status}: ${count}`).join(', ');
}

export function heartbeatFaults({ heartbeatsMissed: missed, missedBy }: LoadFigures): Fact[] {
  const { none: unanswered = 0, late = 0, '404': unknown = 0 } = missedBy;
  const data = { missed, unanswered, late, unknown, refused: missed - unanswered - late - unknown };
  return missed > 0 ? [reasonOf('heartbeats-missed', data)] : [];
}
