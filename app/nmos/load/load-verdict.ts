import { counted } from '../../protocol/count-words';
import type { LoadFigures } from './load-figures';
import { resourcesPerNode } from './simulated-node';

/** Longer, and heartbeats may be late for no fault of the registry. */
export const mostStandstillMs = 1000;

export interface LoadVerdict {
  verdict: 'PASS' | 'FAIL' | 'INVALID';
  reason: string;
}

/**
 * Of a load that was held until its end.
 * @param standstillMs the longest time for which this process itself did nothing
 */
export function loadVerdict(figures: LoadFigures, standstillMs: number): LoadVerdict {
  const { nodes, registered, times, refused, heartbeatsMissed, missedBy, heartbeat } = figures;
  if (standstillMs > mostStandstillMs)
    return {
      verdict: 'INVALID',
      reason: `this command itself stood still for ${seconds(standstillMs / 1000)}: use fewer nodes, or end what else keeps this machine busy`,
    };
  const faults = [
    registered < nodes && `${registered} of ${counted(nodes, 'node')} registered`,
    refused > 0 && `the registry refused ${refused} (see the lines above)`,
    heartbeatsMissed > 0 && `${counted(heartbeatsMissed, 'heartbeat')} missed (${missesText(missedBy)})`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) return { verdict: 'FAIL', reason: faults.join('; ') };
  const held =
    heartbeat === null ? 'no heartbeat was due' : `${counted(heartbeat.count, 'heartbeat')}, none missed`;
  const last = seconds(times?.lastSeconds ?? 0);
  return {
    verdict: 'PASS',
    reason: `${counted(nodes, 'node')} with ${resourcesPerNode} resources each registered in ${last}; ${held}`,
  };
}

export function seconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

function missesText(missedBy: Record<string, number>): string {
  return Object.entries(missedBy)
    .map(([by, count]) => `${wordsOf(by)}: ${count}`)
    .join(', ');
}

function wordsOf(by: string): string {
  if (by === 'none') return 'no answer';
  if (by === 'late') return 'later than the registry keeps a node';
  return by === '404' ? 'unknown to the registry (404)' : `answered ${by}`;
}
