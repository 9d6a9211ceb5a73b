import { z } from 'zod';
import { columnsOf, kindsOf } from '../../facts/column';
import { parsedBy } from '../../protocol/parsed-by';
import { machinesNamed } from '../../protocol/stream-parameters';
import { chartOf, type ExperimentDeclaration, nothingSaid } from '../declaration';

export const scaleConnections = ['per-node', 'pool'] as const;
export const scaleStarts = ['burst', 'ramp'] as const;

/** Expected rate of the registration, in nodes per second. */
const nodesPerSecond = 250;
/** Expected rate over all methods together. */
const crosspointsPerSecond = 100;
/** Expected time until nodes are back, or at another registry. */
const backSeconds = 15;

const url = z.string().min(1).max(300).optional();

/** Parameters of the `nmos-scale` experiment. */
export const nmosScaleParameters = z.strictObject({
  registry: url
    .describe(
      'URL of the registry under test, for example http://192.0.2.7:8010; without it, the run starts Whiteline’s own registry',
    )
    .meta({ title: 'Registry URL' }),
  query: url
    .describe('URL of the registry’s Query API, if it differs from the URL of the registry')
    .meta({ title: 'Query API URL' }),
  registryCount: z
    .int()
    .min(1)
    .max(2)
    .default(1)
    .describe('How many of Whiteline’s registries to start; two replicate each other')
    .meta({ title: 'Own registries' }),
  nodes: z
    .int()
    .min(1)
    .max(20_000)
    .default(750)
    .describe('Simulated nodes, six resources each')
    .meta({ title: 'Simulated nodes' }),
  connections: z
    .enum(scaleConnections)
    .default('per-node')
    .describe(
      'per-node: a connection for each node; pool: all nodes share a pool (--pool-size), to measure the registry alone',
    )
    .meta({ title: 'Connections' }),
  poolSize: z
    .int()
    .min(1)
    .max(1000)
    .default(16)
    .describe('Connections in the pool')
    .meta({ title: 'Size of the pool' }),
  startMode: z
    .enum(scaleStarts)
    .default('burst')
    .describe('burst: all nodes start at once; ramp: one after the other')
    .meta({ title: 'Start of the nodes' }),
  rampSeconds: z
    .number()
    .min(0.1)
    .max(3600)
    .default(30)
    .describe('Time in which all nodes of a ramp start, s')
    .meta({ title: 'Time of the ramp' }),
  dnsSdRetrySeconds: z
    .number()
    .min(0.1)
    .max(600)
    .default(5)
    .describe('How long a node waits before it tries again after all registries failed, s')
    .meta({ title: 'Try again after' }),
  httpTimeoutSeconds: z
    .number()
    .min(0.1)
    .max(600)
    .default(5)
    .describe('How long a node waits for an answer from the registry, s')
    .meta({ title: 'HTTP timeout' }),
  heartbeatSeconds: z
    .number()
    .min(0.1)
    .max(1000)
    .default(5)
    .describe('Time between two heartbeats of a node, s')
    .meta({ title: 'Heartbeat interval' }),
  expirySeconds: z
    .number()
    .min(0.2)
    .max(3600)
    .default(12)
    .describe('How long the registry keeps a node without a heartbeat, s')
    .meta({ title: 'Registry expiry' }),
  holdSeconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(15)
    .describe('How long heartbeats continue after all nodes are registered, s')
    .meta({ title: 'Heartbeats go on for' }),
  waitSeconds: z
    .number()
    .min(1)
    .max(3600)
    .default(300)
    .describe('How long the run waits for all nodes to register, or to come back, s')
    .meta({ title: 'Wait for all nodes' }),
  breaksSeconds: z
    .array(z.number().min(0.1).max(600))
    .max(8)
    .default([])
    .describe('Breaks of the link, one row for each (the study has 5 and 30), s')
    .meta({ title: 'Breaks of the link' }),
  crosspoints: z
    .int()
    .min(0)
    .max(20_000)
    .default(0)
    .describe(
      'Number of crosspoints that a controller changes by IS-05 after it fills its matrix (750 in the study), one row for each method; 0: none',
    )
    .meta({ title: 'Crosspoints to change' }),
  inNamespaces: z
    .boolean()
    .default(false)
    .describe(
      'Runs registries and nodes in separate network namespaces, so that a break cuts the link (needs root); without it, nodes stop sending during a break',
    )
    .meta({ title: 'Separate network namespaces' }),
  kill: z
    .boolean()
    .default(false)
    .describe(
      'At the end, kills one of the two registries that the run started, and waits until its nodes are at the other one',
    )
    .meta({ title: 'Kill one registry at the end' }),
  on: z
    .string()
    .superRefine(parsedBy((text) => machinesNamed(text)))
    .optional()
    .describe(
      'Machines of the fleet that share the simulated nodes, separated by commas; "this machine" may be one of them; default: only this one',
    )
    .meta({ title: 'Machines of the nodes' }),
});

export type NmosScaleParameters = z.infer<typeof nmosScaleParameters>;

/** What a row measures. */
export const scaleParts = ['registration', 'break', 'registry killed'] as const;
export type ScalePart = (typeof scaleParts)[number];

/** About how long the row of the registration takes. */
export function registrationRowSeconds(parameters: NmosScaleParameters): number {
  const { nodes, startMode, rampSeconds, holdSeconds } = parameters;
  return 2 + Math.max(nodes / nodesPerSecond, startMode === 'ramp' ? rampSeconds : 0) + holdSeconds;
}

/** All rows of the controller. */
export function controllerRowsSeconds({ crosspoints }: NmosScaleParameters): number {
  return crosspoints > 0 ? 5 + crosspoints / crosspointsPerSecond : 0;
}

/** @param seconds of the break; 0: of the end of a registry */
export function breakRowSeconds(seconds: number): number {
  return seconds + backSeconds;
}

const id = (name: string): string => `nmos.${name}`;
const heartbeats = ['p50Ms', 'p99Ms', 'maxMs'].map((name) => id(`heartbeat.${name}`));

const crosspointTimes = ['p50Ms', 'p99Ms', 'maxMs'].map((name) => id(`crosspoint.${name}`));
const matrixCounts = ['senders', 'receivers', 'messages'].map((name) => id(`matrix.${name}`));

export const nmosScaleDeclaration: ExperimentDeclaration<typeof nmosScaleParameters> = {
  id: 'nmos-scale',
  order: 110,
  title: 'NMOS registry at scale',
  purpose:
    'How does an NMOS registry hold up with thousands of nodes? Simulated IS-04 nodes register six resources each, and keep them ' +
    'registered by heartbeats, at any registry or at Whiteline’s own. The rows show the registration curve, recovery after breaks of ' +
    'the link, failover when one of two registries ends, and a controller that fills its matrix and changes crosspoints.',
  study:
    'NMOS IS-04/IS-05 at scale, AMWA study led by Sony, NAB 2019: 750 and 2,500 nodes in a simulated network',
  parameters: nmosScaleParameters,
  basic: ['registry', 'nodes', 'registryCount', 'holdSeconds', 'breaksSeconds', 'crosspoints'],
  renamedParameters: { start: 'startMode', namespaces: 'inNamespaces' },
  columns: [
    ...kindsOf(...['part', 'nodes', 'registries', 'breakSeconds', 'connections', 'by'].map(id)),
    ...columnsOf('measure', ...['allSeconds', 'firstSeconds', 'p50Seconds', 'p99Seconds'].map(id)),
    ...columnsOf('count', ...['registered', 'back', 'forgotten', 'retries', 'refused'].map(id)),
    ...columnsOf('count', ...['heartbeats', 'heartbeatsMissed'].map(id)),
    ...columnsOf('measure', ...heartbeats),
    ...columnsOf(
      'count',
      ...['resources', 'resourcesLost', 'strangers', 'fewestResources', 'requests'].map(id),
    ),
    ...columnsOf('measure', id('shownSeconds'), ...crosspointTimes),
    ...columnsOf('count', ...['crosspoints', 'crosspointsFailed'].map(id), ...matrixCounts),
    ...columnsOf('measure', id('matrix.megabytes'), id('controllerCpuPercent')),
    ...columnsOf('measure', ...['replicationSeconds', 'spread', 'answers', 'brokenBy'].map(id)),
    ...columnsOf('measure', ...['registryCpuPercent', 'registryMemoryMb'].map(id)),
    ...columnsOf(
      'measure',
      ...['nodesCpuPercent', 'nodesMemoryMb', 'standstillMs', 'standstillPercent'].map(id),
    ),
  ],
  terminal: [
    ...['part', 'nodes', 'allSeconds', 'p50Seconds', 'registered', 'retries', 'forgotten'].map(id),
    ...['heartbeatsMissed', 'heartbeat.p99Ms', 'resourcesLost', 'registryCpuPercent'].map(id),
  ],
  charts: [
    { ...chartOf('Nodes registered over time', { registered: id('registeredOverTime') }), kind: 'series' },
    { ...chartOf('Nodes back over time', { back: id('backOverTime') }), kind: 'series' },
    chartOf('CPU', { registry: id('registryCpuPercent'), nodes: id('nodesCpuPercent') }),
  ],
  published: {
    title:
      'Published by the study (Mininet, nmos-cpp, real nodes), and measured earlier at nmos-cpp’s registry with simulated nodes on loopback, 2 cores',
    columns: { metrics: [id('allSeconds')], decimals: 'as published' },
    rows: [
      { label: 'study: registration of 2,500 nodes', values: [210], limit: '>' },
      { label: 'study: registration of 750 nodes, not tuned', values: [50], limit: '>' },
      { label: 'study: registration of 750 nodes, retry and time-out tuned', values: [30], limit: '<' },
      { label: 'study: registration of 750 nodes at two registries', values: [15], limit: '<' },
      { label: 'study: 750 nodes back after a break of 5 s', values: [30], limit: '≤' },
      { label: 'study: 750 nodes back after a break of 30 s', values: [90], limit: '≤' },
      { label: 'nmos-cpp: registration of 2,500 nodes through 16 connections', values: [6.9], limit: '≥' },
      { label: 'nmos-cpp: registration of 750 nodes', values: [1.6], limit: '≥' },
      { label: 'study: matrix of 2,500 × 2,500', values: [1], limit: '<' },
      { label: 'study: 750 crosspoints changed', values: [3], limit: '<' },
      { label: 'nmos-cpp: 2,500 resources by subscription, page of 2,500', values: [0.121], limit: '≥' },
      { label: 'nmos-cpp: 750 receivers by IS-05 single, 1 at a time', values: [2.9] },
      { label: 'nmos-cpp: 750 receivers by IS-05 single, 16 at a time', values: [1.5], limit: '≥' },
      { label: 'nmos-cpp: 750 receivers by IS-05 bulk', values: [0.84], limit: '≥' },
    ],
  },
  verdictWords: {
    PASS: 'All nodes registered and came back in time, no heartbeat was missed at registration (breaks, and the end of a registry, are not judged by heartbeats), the registry holds all registered resources, and a controller changed and saw all crosspoints.',
    WARN: 'The resources in the registry could not be counted, the registry holds resources of this run that no node has, or the machine was busy before the run.',
    FAIL: 'Nodes were not registered, were refused or did not come back; heartbeats were missed at registration; a registry lost resources, even for a short time; or crosspoints could not be changed or seen.',
    INVALID: nothingSaid('the registry'),
  },
  expectedSeconds(parameters) {
    const { breaksSeconds, kill } = parameters;
    const breaks = breaksSeconds.reduce((total, seconds) => total + breakRowSeconds(seconds), 0);
    const others = breaks + (kill ? breakRowSeconds(0) : 0);
    return Math.round(registrationRowSeconds(parameters) + controllerRowsSeconds(parameters) + others);
  },
};
