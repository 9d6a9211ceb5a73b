import { count, type Direction, extreme, extremeIfEnd, type Metric } from '../../facts/metrics/metric';
import { crosspointMetrics } from './crosspoint-metrics';

const nodes = 'simulated nodes, monotonic clock';
const query = 'Query API of the registry, all pages of each type';
const load = 'load samples: /proc/PID/stat, /proc/PID/statm';
const parameters = { formula: 'as set for the row', source: 'parameters' };
/** Percentiles of machines do not add up. */
const highest = 'of nodes on several machines the highest of theirs';
const words = { unit: '', digits: 0, direction: 'none', shape: 'words' } as const;
const id = (name: string): string => `nmos.${name}`;

function step(name: string, heading: string, description: string, unit = ''): Metric {
  return { id: id(name), heading, unit, digits: 0, direction: 'none', description, ...parameters };
}

function number(
  ...[name, heading, unit, digits, direction]: [string, string, string, number, Direction]
): Pick<Metric, 'id' | 'heading' | 'unit' | 'digits' | 'direction'> {
  return { id: id(name), heading, unit, digits, direction };
}

function seconds(
  name: string,
  heading: string,
  formula: string,
  description: string,
  source = nodes,
): Metric {
  return { ...number(name, heading, 's', 3, 'lower'), formula, description, source };
}

function heartbeat(name: string, heading: string, formula: string): Metric {
  return {
    ...number(`heartbeat.${name}`, `Heartbeat ${heading}`, 'ms', 1, 'lower'),
    formula: `${formula} of the time from the request, before its connection is open, to the answer 200; ${highest}`,
    ...extremeIfEnd(name),
    description: 'How fast the registry answers heartbeats under this load.',
    source: nodes,
  };
}

function counted(...[name, heading, direction, ...rest]: Parameters<typeof count>): Metric {
  return count(id(name), heading, direction, ...rest);
}

function cost(name: string, heading: string, unit: string, formula: string, description: string): Metric {
  return { ...number(name, heading, unit, 1, 'lower'), formula, description, source: load };
}

const overTime = { shape: 'series', over: { heading: 'Time', unit: 's' } } as const;
const allCores = 'mean of 1 s means, all cores = 100 %';
const ofNodes = `${allCores}; ${highest}`;

/** Figures of the experiment `nmos-scale`. */
export const nmosScaleMetrics: readonly Metric[] = [
  ...crosspointMetrics,
  {
    ...{ id: id('part'), heading: 'Part', ...words, ...parameters },
    description:
      'What the row measures: registration, a matrix, crosspoints, or the return after a break or after a registry is killed.',
  },
  step('nodes', 'Nodes', 'Simulated nodes, each with six resources.'),
  step('registries', 'Registries', 'Registries that share their resources.'),
  step('breakSeconds', 'Break', 'How long the link was cut.', 's'),
  {
    ...{ id: id('connections'), heading: 'Connections', ...words, ...parameters },
    description: 'Whether each node has a connection of its own, or how many connections all nodes share.',
  },
  seconds(
    'allSeconds',
    'Time for all',
    'registration: from the start of the first node to the last resource of the last node; break: from the return of the link, registry killed: from its exit, until a registry has answered the heartbeat of the last node with 200 or has registered it again; matrix: from the first request to the last sender and receiver; crosspoints: from the first request to the last answer',
    'How long the whole part takes.',
  ),
  seconds('firstSeconds', 'Time for first', 'the same for the first node', 'How long the first node takes.'),
  seconds('p50Seconds', 'Time p50', 'the same for half of the nodes', 'How long half of the nodes take.'),
  seconds('p99Seconds', 'Time p99', 'the same for 99 in 100 nodes', 'How long all but 1 in 100 nodes take.'),
  counted(
    'registered',
    'Registered',
    'higher',
    'nodes that a registry holds with all six resources, at the end of the row',
    'Registered nodes.',
    nodes,
  ),
  counted(
    'back',
    'Came back',
    'higher',
    'break: of all nodes, those that a registry has again; registry killed: of its nodes, those that the other registry has',
    'Nodes that came back, or moved to the other registry.',
    nodes,
  ),
  {
    ...number('registeredOverTime', 'Nodes registered', '', 0, 'none'),
    ...overTime,
    formula: 'number of nodes against the time of their first registration',
    description: 'The registration curve.',
    source: nodes,
  },
  {
    ...number('backOverTime', 'Nodes back', '', 0, 'none'),
    ...overTime,
    formula: 'number of nodes against the time of their return',
    description: 'How nodes came back after a break, or moved to the other registry.',
    source: nodes,
  },
  counted(
    'requests',
    'Requests',
    'none',
    'registration requests, answered or not',
    'How many requests registration needed.',
    nodes,
  ),
  {
    ...{
      id: id('answers'),
      heading: 'Answers',
      ...words,
      formula:
        'registrations and heartbeats by the status of their answer; none: no answer; underway: no answer yet',
    },
    description: 'How the registry answered.',
    source: nodes,
  },
  counted(
    'retries',
    'Retries',
    'lower',
    'how often a node left its registry: no answer, 5xx, or a heartbeat not answered with 200, 404 or 409',
    'How often nodes had to try again.',
    nodes,
  ),
  counted(
    'refused',
    'Refused',
    'lower',
    'nodes that the registry refused, or one of whose resources it refused',
    'Nodes that the registry refused, whole or in part.',
    nodes,
  ),
  counted(
    'heartbeats',
    'Heartbeats',
    'none',
    'heartbeats that the registry answered with 200',
    'Heartbeats that succeeded.',
    nodes,
  ),
  counted(
    'heartbeatsMissed',
    'Missed',
    'lower',
    'heartbeats of registered nodes not answered with 200, and times in which the registry heard nothing from a node for longer than the expiry',
    'Heartbeats that failed or were late.',
    nodes,
  ),
  heartbeat('p50Ms', 'p50', '50th percentile'),
  heartbeat('p99Ms', 'p99', '99th percentile'),
  heartbeat('maxMs', 'max', 'max'),
  counted(
    'forgotten',
    'Expired nodes',
    'lower',
    'heartbeats that the registry answered with 404',
    'Nodes that expired at the registry; they register again.',
    nodes,
  ),
  {
    ...{
      id: id('brokenBy'),
      heading: 'Broken by',
      ...words,
      formula:
        'link: the link between nodes and registries carries nothing; silence: the nodes send no requests',
    },
    description: 'How the run made the break.',
    source: 'the run',
  },
  counted(
    'resources',
    'Resources',
    'none',
    'resources of the nodes of this run at the end of the row; of two registries, the one with fewer',
    'How many of our resources the registry really holds.',
    query,
  ),
  counted(
    'resourcesLost',
    'Resources lost',
    'lower',
    '6 · registered nodes − resources',
    'Resources that a registry accepted and no longer holds.',
    query,
  ),
  counted(
    'strangers',
    'Other resources',
    'none',
    'resources that neither belong to nodes of this run nor have its tag',
    'Resources of other programs; the run never touches them.',
    query,
  ),
  {
    ...{
      id: id('spread'),
      heading: 'Nodes at each',
      ...words,
      formula: 'nodes by the registry at which each is registered',
    },
    description: 'How nodes are spread over the registries.',
    source: nodes,
  },
  seconds(
    'replicationSeconds',
    'Replicated after',
    'from the last registration, or the return of the last node, until both registries hold all resources',
    'How long a registry takes to catch up with its peer.',
    'both registries, monotonic clock',
  ),
  counted(
    'fewestResources',
    'Fewest resources',
    'higher',
    'smallest number of resources that the remaining registry held during the row',
    'Whether the remaining registry lost resources, if only for a while.',
    'the remaining registry',
  ),
  cost('registryCpuPercent', 'Registry CPU', '%', allCores, 'CPU that the registries use.'),
  cost(
    'registryMemoryMb',
    'Registry memory',
    'MB',
    'max, resident, both registries together',
    'Memory that the registries use.',
  ),
  cost('nodesCpuPercent', 'Nodes CPU', '%', ofNodes, 'CPU that the simulated nodes use.'),
  cost(
    'nodesMemoryMb',
    'Nodes memory',
    'MB',
    `max, resident; ${highest}`,
    'Memory that the simulated nodes use.',
  ),
  {
    ...number('standstillPercent', 'Nodes stalled, share of time', '%', 1, 'lower'),
    formula: `sum of event loop delays of the simulated nodes above 0.1 s, as a share of the time of the row (2.5 s at least); ${highest}`,
    description:
      'Share of the time in which the simulated nodes themselves stalled: above 40 % the row is INVALID.',
    source: nodes,
  },
  {
    ...number('standstillMs', 'Nodes stalled, longest', 'ms', 1, 'lower'),
    formula: `longest event loop delay of the simulated nodes; ${highest}`,
    ...extreme,
    description: 'How long the simulated nodes themselves stalled: above 1 s the row is INVALID.',
    source: nodes,
  },
];
