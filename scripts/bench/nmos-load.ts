import { setTimeout as sleep } from 'node:timers/promises';
import { countResources, type OwnedResources, ownedBy } from '../../app/nmos/load/count-resources';
import { Load } from '../../app/nmos/load/load';
import type { LoadFigures } from '../../app/nmos/load/load-figures';
import { simulatedNode } from '../../app/nmos/load/simulated-node';
import { fixedApis } from '../../app/nmos/node/api-finder';
import { Registration } from '../../app/nmos/node/registration';
import { machineClock } from '../../app/protocol/machine-clock';
import { QueryClient } from './nmos-queries';

/**
 * What the benchmarks of NMOS registries do with registries that run: one action in a process of its own. Prints one JSON object,
 * times in ms. What it registers stays where it ends without removing it: the registry forgets it when its time is over.
 */

interface Options {
  action: 'register' | 'page' | 'sync' | 'held' | 'hold';
  /** Nodes are spread over them. */
  origins: [string, ...string[]];
  nodes: number;
  /** For all nodes together; without it one for each. */
  connections?: number;
  /** Of `held`; usual: 60. */
  seconds?: number;
  version?: string;
}

const run = 'bench';
const heartbeatSeconds = 5;
/** Over which the nodes of `held` begin: their heartbeats are spread as those of a house are. */
const rampSeconds = 30;
/** Beyond what any action takes. */
const noHeartbeatSeconds = 900;

/** What a node said last of what went wrong. */
let lastLine = '';

const options: Options = JSON.parse(process.argv[2] ?? '{}');
const actions = { register, page, sync, held, hold };

actions[options.action](options).then(
  (result) => process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0)),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);

function loadOf({ origins, nodes, connections }: Options, beatSeconds: number, rampSeconds = 0): Load {
  return new Load({
    ...{ run, registries: origins, nodes, connections: connections ?? 'per-node', rampSeconds },
    ...{ heartbeatSeconds: beatSeconds, expirySeconds: 12, retrySeconds: 5, clock: machineClock },
    // A registry that takes its time with thousands at once does not fail for it.
    httpTimeoutSeconds: 60,
    log: (line) => {
      lastLine = line;
    },
  });
}

/** @returns when the last was registered */
async function settled(load: Load): Promise<number> {
  await load.settled;
  const { nodes, registered, times, failures } = load.figures();
  if (registered < nodes || failures > 0 || times === null)
    throw new Error(`${registered} of ${nodes} nodes are registered after ${failures} failures: ${lastLine}`);
  return times.lastSeconds * 1000;
}

/** All six resources of each node, one after the other; then, of several registries, until each has all. */
async function register(options: Options): Promise<object> {
  const ms = await settled(loadOf(options, noHeartbeatSeconds));
  const startedMs = performance.now();
  if (options.origins.length > 1)
    await Promise.all(options.origins.map((origin) => untilComplete(origin, options.nodes)));
  return { ms, completeMs: performance.now() - startedMs };
}

/** Until the collection that is registered last has all. */
async function untilComplete(origin: string, nodes: number): Promise<void> {
  const client = new QueryClient(origin);
  while ((await client.count('receivers', nodes)) < nodes) await sleep(10);
  client.close();
}

/**
 * Registers, sends heartbeats for so many seconds, and removes. What the registry itself says of the load is read at both ends.
 * `cpuPercent`: user and system time of this process, of one core, while it does nothing else.
 */
async function held({ seconds = 60, ...options }: Options): Promise<object> {
  const load = loadOf(options, heartbeatSeconds, rampSeconds);
  // Before heartbeats begin: it takes time.
  const owned = ownedBy(run, options.nodes);
  const registeredMs = await settled(load);
  const [origin] = options.origins;
  const before = await agreement(origin, owned);
  // Compiled, and the burst's garbage is collected.
  await sleep(2 * heartbeatSeconds * 1000);
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  await sleep(seconds * 1000);
  const { user, system } = process.cpuUsage(cpu);
  const cpuPercent = (user + system) / 10 / (performance.now() - startedMs);
  await load.heartbeatsOver();
  const figures: LoadFigures = load.figures();
  const after = await agreement(origin, owned);
  await load.close();
  const { listed: left } = await agreement(origin, owned);
  const { heartbeat, heartbeatsMissed, missedBy } = figures;
  return {
    registeredMs,
    cpuPercent,
    heartbeat,
    heartbeatsMissed,
    missedBy,
    before,
    after,
    left,
  };
}

interface Agreement {
  /** Resources that the load registered. */
  loaded: number;
  /** Of these, as the registry lists them with the load's tag. */
  listed: number;
}

/** @throws Error where the registry lists one with the load's tag that the load did not register */
async function agreement(origin: string, owned: OwnedResources): Promise<Agreement> {
  const { ours, leftOver } = await countResources({ query: origin, version: 'v1.3' }, owned, machineClock);
  if (leftOver > 0)
    throw new Error(`the registry lists ${leftOver} resources with the load's tag that were not registered`);
  return { loaded: [...owned.ids.values()].reduce((sum, ids) => sum + ids.size, 0), listed: ours };
}

/** One node and one persistent subscription; the node is kept alive until this process is ended. */
async function hold({ origins: [origin], version = 'v1.3' }: Options): Promise<never> {
  const registries = fixedApis([origin], version, 'origins');
  const model = simulatedNode(run, 0, machineClock);
  const isThere = new Promise<void>((resolve) => {
    const onState = ({ is }: { is: string }): void => (is === 'registered' ? resolve() : undefined);
    const clock = machineClock;
    new Registration({ model, registries, clock, heartbeatSeconds, onState, log: () => {} });
  });
  await isThere;
  await new QueryClient(origin, version).subscribe('nodes', true);
  return new Promise(() => {});
}

async function page({ origins: [origin], nodes }: Options): Promise<object> {
  return { ms: await new QueryClient(origin).page('senders', nodes) };
}

async function sync({ origins: [origin], nodes }: Options): Promise<object> {
  return { ms: await new QueryClient(origin).sync('senders', nodes) };
}
