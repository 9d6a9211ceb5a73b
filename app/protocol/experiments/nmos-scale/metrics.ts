import { count, type Direction, type Metric } from '../../metrics/metric';

const nodes = 'simulated nodes, monotonic clock';
const query = 'Query API of the registry, all pages of each type';
const load = 'load samples: /proc/PID/stat, /proc/PID/statm';
const parameters = { formula: 'as set for the row', source: 'parameters' };
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
    formula: `${formula} of the time from asking, before a connection is there, to an answer with 200`,
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

/** Figures of the experiment `nmos-scale`. */
export const nmosScaleMetrics: readonly Metric[] = [
  {
    ...{ id: id('part'), heading: 'Part', ...words, ...parameters },
    description:
      'What the row measures: registration, a matrix, crosspoints, the return after a break, or after the end of a registry.',
  },
  step('nodes', 'Nodes', 'Simulated nodes, each with six resources.'),
  step('registries', 'Registries', 'Registries that share what they hold.'),
  step('breakSeconds', 'Break', 'How long the link was cut.', 's'),
  {
    ...{ id: id('connections'), heading: 'Connections', ...words, ...parameters },
    description: 'Whether each node has a connection of its own, or how many all of them share.',
  },
  seconds(
    'allSeconds',
    'Time for all',
    'registration: from the begin of the first node to the last resource of the last; a break: from the return of the link, the end of a registry: from there, until the last node’s registry has answered its heartbeat or has registered it again; a matrix: from the first request until its last sender and receiver; crosspoints: from the first request to the last answer',
    'How long it takes until all is where it should be.',
  ),
  seconds('firstSeconds', 'Time for first', 'the same of the first node', 'How long the first node takes.'),
  seconds('p50Seconds', 'Time p50', 'the same of half of the nodes', 'How long half of the nodes take.'),
  seconds('p99Seconds', 'Time p99', 'the same of 99 in 100', 'How long all but 1 in 100 nodes take.'),
  counted(
    'registered',
    'Registered',
    'higher',
    'nodes that a registry has with all six resources, at the end of the row',
    'Nodes that hold a registration.',
    nodes,
  ),
  counted(
    'back',
    'Came back',
    'higher',
    'nodes that the registry had again after a break, or the other registry after the end of theirs, of those that had to',
    'Nodes that came back or moved.',
    nodes,
  ),
  {
    ...number('registeredOverTime', 'Nodes registered', '', 0, 'none'),
    ...overTime,
    formula: 'number of nodes against the time at which each was registered for the first time',
    description: 'The registration curve.',
    source: nodes,
  },
  {
    ...number('backOverTime', 'Nodes back', '', 0, 'none'),
    ...overTime,
    formula: 'number of nodes against the time at which each was back',
    description: 'The return after a break, or to another registry.',
    source: nodes,
  },
  counted(
    'requests',
    'Requests',
    'none',
    'registrations that were asked for, answered or not',
    'What registering took.',
    nodes,
  ),
  {
    ...{
      id: id('answers'),
      heading: 'Answers',
      ...words,
      formula: 'registrations and heartbeats by the status of their answer; none: no answer',
    },
    description: 'How the registry answered.',
    source: nodes,
  },
  counted(
    'retries',
    'Retries',
    'lower',
    'how often a node left its registry since it did not answer, or with 5xx',
    'What nodes had to try again.',
    nodes,
  ),
  counted(
    'refused',
    'Refused',
    'lower',
    'nodes of which the registry refused a resource',
    'Nodes that are not tried again.',
    nodes,
  ),
  counted(
    'heartbeats',
    'Heartbeats',
    'none',
    'heartbeats that were answered with 200',
    'Signs of life that came through.',
    nodes,
  ),
  counted(
    'heartbeatsMissed',
    'Missed',
    'lower',
    'heartbeats of registered nodes without an answer 200, and times in which a registry heard nothing for longer than it keeps a node',
    'Signs of life that did not.',
    nodes,
  ),
  heartbeat('p50Ms', 'p50', '50th percentile'),
  heartbeat('p99Ms', 'p99', '99th percentile'),
  heartbeat('maxMs', 'max', 'max'),
  counted(
    'forgotten',
    'Forgotten nodes',
    'lower',
    'heartbeats that were answered with 404',
    'Nodes that the registry had removed and that registered again.',
    nodes,
  ),
  {
    ...{
      id: id('brokenBy'),
      heading: 'Broken by',
      ...words,
      formula: 'link: it carries nothing between nodes and registries; silence: the nodes ask nothing',
    },
    description: 'How the break was made.',
    source: 'the run',
  },
  counted(
    'resources',
    'Resources',
    'none',
    'resources that the nodes of this run have, at the end of the row',
    'What the registry really holds of ours.',
    query,
  ),
  counted(
    'resourcesLost',
    'Resources lost',
    'lower',
    '6 · registered nodes − resources',
    'What a registry took and does not have.',
    query,
  ),
  counted(
    'strangers',
    'Others’ resources',
    'none',
    'resources without the tag of this run',
    'What the registry holds beside, which the run never touches.',
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
    'Both have all',
    'from the last registration, or the return of the last node, until each registry holds all resources',
    'How far a registry is behind its peer.',
    'both registries, monotonic clock',
  ),
  counted(
    'fewestResources',
    'Fewest meanwhile',
    'higher',
    'least number of resources that the registry that lives on held meanwhile',
    'Whether anything was lost for a while.',
    'that registry',
  ),
  cost('registryCpuPercent', 'Registry CPU', '%', allCores, 'What the registries cost.'),
  cost(
    'registryMemoryMb',
    'Registry memory',
    'MB',
    'max, resident, both registries together',
    'What the registries take.',
  ),
  cost('nodesCpuPercent', 'Nodes CPU', '%', allCores, 'What the simulated nodes cost.'),
  cost('nodesMemoryMb', 'Nodes memory', 'MB', 'max, resident', 'What the simulated nodes take.'),
  {
    ...number('standstillPercent', 'Nodes stood still, of the time', '%', 1, 'lower'),
    formula:
      'delays of the event loop of the simulated nodes above 0.1 s, summed, of the time of the row, but of 2.5 s at least',
    description:
      'How much of the time the instrument itself did nothing else: above 40 % the row is INVALID.',
    source: nodes,
  },
  {
    ...number('standstillMs', 'Nodes stood still', 'ms', 1, 'lower'),
    formula: 'longest delay of the event loop of the simulated nodes',
    description: 'How long the instrument itself did nothing: above 1 s the row is INVALID.',
    source: nodes,
  },
];
