import { figuresWithReasons, type Reasoned } from '../../facts/reasoned';
import type { Subject } from '../../facts/row';
import type { PartReadings } from './part-readings';
import { costOf, heartbeatFigures, noLoad, prefixed } from './row-figures';

/** What each machine has of a row; none if all nodes are on this one. */
export function machineSubjects({
  report,
  samples,
  others,
  break: broken,
}: Pick<PartReadings, 'report' | 'samples' | 'others' | 'break'>): Subject[] {
  return report.shares.flatMap(({ machine, figures, recovery, standstillMs, standstillPercent }) => {
    if (machine === null) return [];
    const load = others.find((one) => one.machine === machine)?.samples ?? samples;
    const { registration } = figures.answers;
    const requests = Object.values(registration).reduce((sum, count) => sum + count, 0);
    const known: Record<string, Reasoned> = {
      nodes: [figures.nodes, ''],
      registered: [figures.registered, ''],
      ...(recovery ? ({ back: [recovery.back, ''] } satisfies Record<string, Reasoned>) : {}),
      requests: [requests, ''],
      retries: [figures.failures, ''],
      refused: [figures.refused, ''],
      ...heartbeatFigures(figures, broken !== null),
      ...costOf('nodes', [load], noLoad),
      standstillMs: [standstillMs, ''],
      standstillPercent: [standstillPercent, ''],
    };
    return {
      ...{ kind: 'machine', id: machine, name: machine, hosts: { nodes: machine } },
      ...figuresWithReasons(prefixed(known)),
    };
  });
}
