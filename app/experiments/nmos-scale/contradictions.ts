import { alike, atMost, rising } from '../../facts/contradiction';
import type { Fact } from '../../facts/fact';
import { resourcesPerNode } from '../../nmos/load/simulated-node';
import type { ControllerMessage } from '../../nmos/programs/controller-messages';
import type { PartReadings } from './part-readings';
import type { ShareReport } from './part-report';

type FiguresOf<Type extends ControllerMessage['type']> = Extract<
  ControllerMessage,
  { type: Type; figures: unknown }
>['figures'];

/** What the figures of a row of registries and nodes say that cannot be true. */
export function scaleContradictions({ part, report, counted }: PartReadings): Fact[] {
  const { figures, recovery } = report;
  const { nodes, registered, answers, heartbeat } = figures;
  const accepted = (answers.registration['200'] ?? 0) + (answers.registration['201'] ?? 0);
  const times = part === 'registration' ? figures.times : recovery?.times;
  return [
    ...atMost('nodes', [registered, 'registered'], [nodes, 'in all']),
    ...atMost('nodes', [figures.refused, 'refused'], [nodes, 'in all']),
    ...atMost('nodes', [recovery?.back, 'back'], [recovery?.nodes, 'that had to come back']),
    ...(part === 'registration'
      ? atMost(
          'resources',
          [resourcesPerNode * registered, 'of the registered nodes'],
          [accepted, 'accepted by the registry'],
        )
      : []),
    ...('why' in counted
      ? []
      : atMost(
          'resources',
          [counted.ours, 'of this run in the registry'],
          [resourcesPerNode * nodes, 'of all nodes'],
        )),
    ...rising('times', [
      [times?.firstSeconds, 's first'],
      [times?.p50Seconds, 's p50'],
      [times?.p99Seconds, 's p99'],
      [times?.lastSeconds, 's last'],
    ]),
    ...report.shares.flatMap(shareContradictions),
    ...rising('heartbeats', [
      [heartbeat?.p50Ms, 'ms p50'],
      [heartbeat?.p99Ms, 'ms p99'],
      [heartbeat?.maxMs, 'ms max'],
    ]),
  ];
}

/** The same for the nodes of one of several machines. */
function shareContradictions({ machine, nodes, figures, registrations, recovery }: ShareReport): Fact[] {
  const on = `on ${machine}`;
  const { registered, byRegistry } = figures;
  const atRegistries = Object.values(byRegistry).reduce((sum, count) => sum + count, 0);
  const came = registrations.seconds.length;
  return [
    ...alike('nodes', [figures.nodes, on], [nodes, 'asked for there']),
    ...alike('nodes', [registered, `registered ${on}`], [atRegistries, 'at all registries']),
    ...atMost('nodes', [registered, `registered ${on}`], [came, 'that were ever registered']),
    ...atMost('nodes', [came, `that were ever registered ${on}`], [nodes, 'in all']),
    ...alike('nodes', [recovery?.comings.seconds.length, `that came back ${on}`], [recovery?.back, 'back']),
    ...atMost('nodes', [recovery?.nodes, `that had to come back ${on}`], [nodes, 'in all']),
  ];
}

/** The same for a matrix. */
export function matrixContradictions(figures: FiguresOf<'filled'>): Fact[] {
  if (!figures) return [];
  const { senders, receivers, ownSenders, ownReceivers } = figures;
  return [
    ...atMost('senders', [ownSenders, 'of this run'], [senders, 'in all']),
    ...atMost('receivers', [ownReceivers, 'of this run'], [receivers, 'in all']),
  ];
}

/** The same for crosspoints. */
export function crosspointContradictions(figures: FiguresOf<'changed'>, tried: number): Fact[] {
  if (!figures) return [];
  const { crosspoints, failed, p50Ms, p99Ms, maxMs, seconds, shownSeconds } = figures;
  return [
    ...atMost('crosspoints', [crosspoints, 'changed'], [tried, 'asked for']),
    ...atMost('crosspoints', [failed, 'failed'], [crosspoints, 'changed']),
    ...atMost('time', [seconds, 's until the last answer'], [shownSeconds, 's until all were shown']),
    ...rising('crosspoint', [
      [p50Ms, 'ms p50'],
      [p99Ms, 'ms p99'],
      [maxMs, 'ms max'],
    ]),
  ];
}
