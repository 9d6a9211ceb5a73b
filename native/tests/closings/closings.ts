import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Random } from '../../../app/engine/faults/random';
import { edges, endEnvironment, openAll } from './edges';
import { closeMany } from './stress';
import { World, type WorldOptions } from './world';

/**
 * Opens, uses and closes the addon's handles in a plain Node, where a sanitizer may watch. Prints one JSON object per line:
 * each edge that held, and what the process holds as closings go on, whenever all is closed. It ends with everything open.
 */

interface Options extends WorldOptions {
  seed: number;
  closings: number;
  /** Whether the edges are tried before. */
  edges: boolean;
}

/** All is closed after so many, and what the process then holds is read. */
const closingsOfRound = 250;

async function run(options: Options): Promise<void> {
  const { prefix, seed, closings } = options;
  if (options.edges) await tryEdges(options);
  const random = new Random(seed);
  for (let closed = 0; closed < closings; ) {
    const round = Math.min(closingsOfRound, closings - closed);
    const world = await World.open({ ...options, prefix: `${prefix}-${closed}` });
    await closeMany(world, random, round);
    await world.close();
    closed += round;
    print({ closed, ...held() });
  }
  await openAll(await World.open({ ...options, prefix: `${prefix}-end` }));
  process.exit(0);
}

async function tryEdges(options: Options): Promise<void> {
  await endEnvironment(options);
  print({ edge: 'an environment that ends as the only one' });
  const world = await World.open(options);
  for (const [edge, hold] of Object.entries(edges)) {
    await hold(world);
    print({ edge });
  }
  await world.close();
}

function held(): Record<string, number> {
  const { rss, heapUsed } = process.memoryUsage();
  return {
    residentMb: rss / 1e6,
    heapMb: heapUsed / 1e6,
  };
}

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Until it is ended. */
async function liveInWorker(options: WorldOptions): Promise<void> {
  const world = await World.open({ ...options, prefix: `${options.prefix}-worker` });
  const handles = await openAll(world);
  parentPort?.postMessage(handles.length);
  setInterval(() => handles.length, 1000);
}

// The sanitizer is for this process, not for the commands that it starts.
delete process.env.LD_PRELOAD;

const life = isMainThread
  ? run(JSON.parse(process.argv[2] ?? '{}') as Options)
  : liveInWorker(workerData as WorldOptions);
life.catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
