import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type AnyHandle, expectClosed, kindNames, open, use } from './kinds';
import { expect, format, until, type World, type WorldOptions } from './world';

const streamsAtOnce = 8;

/** What every handle must bear, in a process with sanitizers. Each resolves when nothing is left of it. */
export const edges: Record<string, (world: World) => Promise<void>> = {
  'open, use, close': async (world) => {
    for (const name of kindNames) {
      const handle = open(name, world);
      await until(`${name} at work`, () => use(name, handle) || undefined);
      handle.close();
      expectClosed(name, handle);
    }
  },
  'close at once': async (world) => {
    for (const name of kindNames) {
      const handle = open(name, world);
      handle.close();
      expectClosed(name, handle);
    }
  },
  'close in every order': async (world) => {
    const orders = ordersOf([0, 1, 2, 3]);
    // Some at a time: to connect takes a second.
    for (let first = 0; first < orders.length; first += streamsAtOnce) {
      await Promise.all(
        orders.slice(first, first + streamsAtOnce).map(async (order) => {
          const handles = await openStream(world);
          for (const index of order) handles[index]?.close();
        }),
      );
    }
  },
  'garbage that was not closed': async (world) => {
    const before = world.openHandles();
    await openGarbage(world, before);
    await world.nothingLeft(before);
  },
  'an environment that ends beside ours': async (world) => {
    const before = world.openHandles();
    await endEnvironment(world.options);
    await world.nothingLeft(before);
    use('noise', world.source);
    expect(world.sender.status().firstSlot >= 0, 'a sender that is open');
  },
};

/** A worker thread opens everything, and is ended. */
export async function endEnvironment(options: WorldOptions): Promise<void> {
  const worker = new Worker(__filename, { workerData: options });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
}

/** One handle of each kind, at work. */
export async function openAll(world: World): Promise<AnyHandle[]> {
  const handles = kindNames.map((name) => open(name, world));
  for (const [index, name] of kindNames.entries()) {
    const handle = handles[index];
    if (handle) await until(`${name} at work`, () => use(name, handle) || undefined);
  }
  return handles;
}

/** In a function of its own: nothing on the stack holds what it opened. */
async function openGarbage(world: World, before: number): Promise<void> {
  const handles = kindNames.map((name) => {
    const handle = open(name, world);
    use(name, handle);
    return handle;
  });
  await sleep(50);
  // All are held until then: how soon garbage is collected is nothing to rely on.
  expect(handles.length > 0 && world.openHandles() > before, 'handles that are open');
}

/** A stream of its own, with a receiver that has a picture. */
async function openStream(world: World): Promise<AnyHandle[]> {
  const { addon } = world;
  const finder = new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] });
  const source = new addon.Source({ kind: 'white-line', ...format });
  const sender = new addon.Sender({
    transport: 'ndi',
    source,
    name: world.newName(),
    senderId: 4,
    audio: true,
  });
  const receiver = new addon.Receiver({
    transport: 'ndi',
    name: sender.status().sourceName,
    receiverName: 'closings',
  });
  await until('a picture', () => receiver.drain().captureNs.length > 0 || undefined);
  return [finder, source, sender, receiver];
}

function ordersOf(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((first) =>
    ordersOf(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}
