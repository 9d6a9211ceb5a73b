import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { ask } from '../../../testing/http-client';
import { TestRegistry } from '../../../testing/nmos-registry';
import { changed, nmosId, nmosNode, nmosTypes } from '../../../testing/nmos-resources';
import { cases, Random, seeds } from '../../../testing/random';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { eventually } from '../../../testing/time-passes';
import { mergeResource } from './merge';
import { peerAddress } from './peer';

/** Of all registries of a test. */
let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

/** All resources by their texts. */
function held({ registry: { store } }: TestRegistry): string[] {
  return nmosTypes.flatMap((type) => store.list(type, 'create').map(({ body }) => body.json)).sort();
}

const start = (expirySeconds = 3600): Promise<TestRegistry> => TestRegistry.start({ expirySeconds, clock });

async function two(expirySeconds?: number): Promise<[TestRegistry, TestRegistry]> {
  const pair: [TestRegistry, TestRegistry] = [await start(expirySeconds), await start(expirySeconds)];
  pair[0].follow(pair[1]);
  await followed(...pair);
  return pair;
}

async function followed(...registries: TestRegistry[]): Promise<void> {
  for (const { lines } of registries)
    await eventually(clock, () => expect(lines.join('\n')).toContain(': replicating: '));
}

/** Waits until both hold the same, and so many resources. */
async function alike(one: TestRegistry, other: TestRegistry, count: number): Promise<void> {
  await eventually(clock, () => {
    expect([one, other].map(({ registry }) => registry.store.size)).toEqual([count, count]);
    expect(held(one).join() === held(other).join()).toBe(true);
  });
}

test('nodes spread over two registries are complete at both', async () => {
  const nodes = cases(40, 200);
  const [one, other] = await two();
  const load = async (registry: TestRegistry, first: number): Promise<void> => {
    for (let number = first; number < nodes; number += 4) await registry.registerNode(number);
  };
  await Promise.all([load(one, 0), load(other, 1), load(one, 2), load(other, 3)]);
  await alike(one, other, nodes * 6);
});

test('a registry says once that one follows it that it does not follow itself', async () => {
  const [one, other] = [await start(), await start()];
  const [left, right] = await two();
  one.registry.addPeer(other.origin);
  await followed(one);
  await clock.pass(11_000);
  const said = ({ lines }: TestRegistry): string[] =>
    lines.filter((line) => line.includes('Name it with --peer'));
  await eventually(clock, () => expect(said(other)).toHaveLength(1));
  expect(said(other)[0]).toMatch(/^a registry at 127\.0\.0\.1 replicates from this one/);
  expect([one, left, right].flatMap(said)).toEqual([]);
});

test('updates and removals reach the peer, and its subscribers hear of them', async () => {
  const [one, other] = await two();
  const { node, sender } = await one.registerNode(1);
  await alike(one, other, 6);
  await other.register('sender', changed(sender, 1, { label: 'there' }));
  await eventually(clock, async () =>
    expect((await one.query(`senders/${sender.id}`)).body).toMatchObject({ label: 'there' }),
  );
  await other.delete(`nodes/${node.id}`);
  await alike(one, other, 0);
});

test('a node that registers at one may fail over to the other, and lives there', async () => {
  const [one, other] = await two(60);
  const { node } = await one.registerNode(1);
  await alike(one, other, 6);
  await one.close();
  await other.pass(59_000);
  expect((await other.post(`health/nodes/${node.id}`, undefined)).status).toBe(200);
  await other.pass(59_000);
  expect(await other.ids('nodes')).toEqual([node.id]);
  await other.pass(2000);
  expect(await other.ids('nodes')).toEqual([]);
});

test('heartbeats at one keep a node at the other; without them it expires at both', async () => {
  const [one, other] = await two(60);
  const { node } = await one.registerNode(1);
  await alike(one, other, 6);
  for (let round = 0; round < 3; round++) {
    await clock.pass(40_000);
    await one.post(`health/nodes/${node.id}`, undefined);
    const heardMs = one.registry.store.get(node.id)?.health?.heardMs;
    await eventually(clock, () => expect(other.registry.store.get(node.id)?.health?.heardMs).toBe(heardMs));
    expect(other.registry.store.size).toBe(6);
  }
  await clock.pass(61_000);
  // It hears later, and waits for what the other may still say.
  expect([held(one), held(other).length]).toEqual([[], 6]);
  await other.pass(2500);
  expect(held(other)).toEqual([]);
});

test('a node that comes to one, after the other let it expire, is at both again', async () => {
  const [one, other] = await two(60);
  const { node } = await one.registerNode(1);
  await alike(one, other, 6);
  await clock.pass(61_000);
  expect([held(one).length, held(other).length]).toEqual([0, 6]);
  expect((await other.post(`health/nodes/${node.id}`, undefined)).status).toBe(200);
  await alike(one, other, 6);
});

test('a registry that returns empty catches up with its peer', async () => {
  const [one, other] = await two();
  await one.registerNode(1);
  await other.registerNode(2);
  await alike(one, other, 12);
  await one.close();
  const again = await start();
  again.follow(other);
  await alike(again, other, 12);
});

test('what changes while a peer is given all that there is comes after it', async () => {
  const one = await start();
  const [nodes, changes] = [2000, 20];
  for (let number = 0; number < nodes; number++) one.putNode(nmosNode(number).node);
  const other = await start();
  other.registry.addPeer(one.origin);
  for (let number = 0; number < changes; number++) {
    await one.registerNode(nodes + number);
    await one.delete(`nodes/${nmosId(0, number)}`);
  }
  await alike(one, other, nodes - changes + changes * 6);
});

/** A connection between two registries that can be cut. */
class Cable {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  static async to(origin: string): Promise<{ cable: Cable; url: string }> {
    const cable = new Cable();
    const { port } = new URL(origin);
    const server = createTcpServer((near) => {
      if (cable.isCut) {
        near.destroy();
        return;
      }
      const far = connect(Number(port), '127.0.0.1');
      near.pipe(far);
      far.pipe(near);
      for (const socket of [near, far]) {
        cable.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          near.destroy();
          far.destroy();
        });
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      cable.cut();
      server.close();
    });
    return { cable, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  join(): void {
    this.isCut = false;
  }
}

test('a partition heals: changes at both sides, conflicts by version, and removals', async () => {
  const [one, other] = [await start(), await start()];
  const [toOther, toOne] = [await Cable.to(other.origin), await Cable.to(one.origin)];
  one.registry.addPeer(toOther.url);
  other.registry.addPeer(toOne.url);
  await followed(one, other);
  const kept = await one.registerNode(1);
  await one.registerNode(2);
  await other.registerNode(3);
  await alike(one, other, 18);
  for (const { cable } of [toOther, toOne]) cable.cut();

  await one.registerNode(4);
  await other.registerNode(5);
  await one.register('sender', changed(kept.sender, 1, { label: 'earlier' }));
  await other.register('sender', changed(kept.sender, 2, { label: 'later' }));
  await one.register('receiver', changed(kept.receiver, 3, { label: 'one text' }));
  await clock.pass(1);
  await other.register('receiver', changed(kept.receiver, 3, { label: 'other text' }));
  await one.delete(`nodes/${nmosId(0, 2)}`);
  await other.delete(`nodes/${nmosId(0, 3)}`);
  // Its node spoke to the other registry only.
  await other.delete(`flows/${kept.flow.id}`);
  expect(one.registry.store.size).toBe(18);
  expect(held(one)).not.toEqual(held(other));

  for (const { cable } of [toOther, toOne]) cable.join();
  await eventually(clock, () => expect(held(one)).toEqual(held(other)));
  expect(one.registry.store.size).toBe(17);
  const shown = await one.query(`senders/${kept.sender.id}`);
  expect(shown.body).toMatchObject({ label: 'later' });
  expect((await one.query(`receivers/${kept.receiver.id}`)).body).toMatchObject({ label: 'other text' });
});

test.each(seeds)('whatever is changed at both sides at once, they end alike (seed %i)', async (seed) => {
  const [one, other] = await two();
  const random = new Random(seed);
  const change = async (registry: TestRegistry, step: number): Promise<void> => {
    const { node } = nmosNode(random.whole(1, 5));
    if (random.whole(0, 3) === 0) await registry.delete(`nodes/${node.id}`);
    // Now and then the same version as at the other, with another text.
    else await registry.register('node', changed(node, step >> 2, { label: `label ${random.whole(0, 99)}` }));
  };
  for (let step = 0; step < 150; step++) {
    const passed = clock.pass(random.whole(0, 30));
    await Promise.all([change(one, step), change(other, step), passed]);
  }
  await eventually(clock, () => expect(held(one)).toEqual(held(other)));
});

test('what came from a peer goes back to none: nothing goes round', async () => {
  const registries = [await start(), await start(), await start()];
  const [one, two, three] = registries as [TestRegistry, TestRegistry, TestRegistry];
  one.follow(two);
  two.follow(three);
  three.follow(one);
  await followed(one, two, three);
  let changes = 0;
  for (const { registry } of registries) registry.store.onChange(() => changes++);
  const { node } = await one.registerNode(1);
  await alike(one, two, 6);
  await alike(one, three, 6);
  await two.register('node', changed(node, 1));
  await eventually(clock, () => expect(held(one)).toEqual(held(three)));
  await eventually(clock, () => expect(held(one)).toEqual(held(two)));
  // And once more by the one to which the node went, for peers where it expired.
  expect(changes).toBe(3 * 7 + 6);
});

/** What the registry says of a peer that is none. */
async function saidOf(url: string): Promise<string> {
  const registry = await start();
  registry.registry.addPeer(url);
  await eventually(clock, () => expect(registry.lines).not.toEqual([]));
  expect((await registry.register('node', nmosNode(1).node)).status).toBe(201);
  return registry.lines.join('\n');
}

async function urlOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a peer that does not answer, is no registry, or is the registry itself is said', async () => {
  expect(await saidOf('http://127.0.0.1:1')).toContain(
    'not replicating: connection refused, nothing listens on that port',
  );
  const page = createServer((_, response) => response.end('hello'));
  expect(await saidOf(await urlOf(page))).toMatch(
    /not replicating: (Unexpected server response: 200|the connection was reset|the connection was closed)/,
  );
  const registry = await start();
  registry.registry.addPeer(registry.origin);
  await eventually(clock, () =>
    expect(registry.lines.join('\n')).toContain('its URL is that of this registry'),
  );
});

/** A peer that sends these to each that connects, and when each did. */
async function sender(
  messages: readonly (string | Buffer)[],
): Promise<{ url: string; connectedMs: number[] }> {
  const http = createServer();
  const url = await urlOf(http);
  const sockets = new WebSocketServer({ server: http });
  const connectedMs: number[] = [];
  sockets.on('connection', (socket) => {
    connectedMs.push(clock.monotonicNs() / 1e6);
    socket.on('error', () => undefined);
    for (const message of messages) socket.send(message);
  });
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  });
  return { url, connectedMs };
}

const hello = JSON.stringify({ hello: { protocol: 2, instance: 'liar' } });
const resource = nmosNode(7);
test.each([
  ['rubbish', ['{'], 'an invalid replication message'],
  ['another protocol', [JSON.stringify({ hello: { protocol: 3, instance: 'x' } })], 'it uses version 3'],
  ['no hello', ['{"set":[]}'], 'its first message does not identify it'],
  ['entries of another shape', [hello, '{"set":[[1]]}'], 'an invalid replication message'],
  ['ages of another shape', [hello, '{"health":[["x","y","z"]]}'], 'an invalid replication message'],
  [
    'a time far ahead',
    [hello, '{"remove":[["x","9000000000000000000"]]}'],
    's ahead of the clock of this registry',
  ],
  [
    'a body of a time far ahead',
    [hello, '{"set":[["node","v1.3",{},"1","9000000000000000000"]]}'],
    's ahead of the clock of this registry',
  ],
  [
    'a message that is longer than those of a registry',
    [hello, `{"set":[]}${' '.repeat(5_000_000)}`],
    'it sent a message over the size limit',
  ],
  [
    'lives of more nodes than there may be',
    [hello, ...Array.from({ length: 4 }, () => `{"health":[${'["x",0,"y"],'.repeat(99_999)}["x",0,"y"]]}`)],
    'it holds more than 300000 nodes',
  ],
  ['what is nested without end', [hello, '['.repeat(4_000_000)], 'an invalid replication message'],
  ['bytes', [Buffer.from(hello)], 'an invalid replication message'],
  [
    'a node without attributes',
    [hello, '{"set":[["node","v1.3",{"id":"x"},"1","1"]]}'],
    'resource refused: Expected',
  ],
  [
    'what is nested deep',
    [
      hello,
      `{"set":[["node","v1.3",${JSON.stringify(resource.node).slice(0, -1)},"x":${'['.repeat(900)}${']'.repeat(900)}},"1","1"]]}`,
    ],
    'nested too deep',
  ],
  ['no type', [hello, '{"set":[["__proto__","v1.3",{},"1","1"]]}'], 'unknown type'],
  [
    'a device without its node',
    [hello, JSON.stringify({ set: [['device', 'v1.3', resource.device, '1', '1']] })],
    'that this registry does not hold',
  ],
  [
    'an id of another type',
    [
      hello,
      JSON.stringify({
        set: [
          ['node', 'v1.3', resource.node, '1', '1'],
          ['device', 'v1.3', { ...resource.device, id: resource.node.id }, '1', '1'],
        ],
      }),
    ],
    'is a node in this registry',
  ],
])('a peer that sends %s is bounded and said', async (_, messages, words) => {
  const { url } = await sender(messages);
  const registry = await start();
  registry.registry.addPeer(url);
  await eventually(clock, () => expect(registry.lines.join('\n')).toContain(words));
  expect((await registry.query('nodes')).status).toBe(200);
});

test('a peer that is refused each time after it sent all is asked ever less often', async () => {
  const { url, connectedMs } = await sender([hello, '{"complete":true}', '{']);
  const registry = await start();
  registry.registry.addPeer(url);
  await eventually(clock, () => expect(connectedMs.length).toBeGreaterThanOrEqual(4));
  const [first = 0, , , fourth = 0] = connectedMs;
  // 0.25 + 0.5 + 1 s, less the steps in which the first connection was made; without longer pauses it would be 0.75 s.
  expect(fourth - first).toBeGreaterThan(1600);
});

test('the lives of many nodes, and removals of many, come in messages of a bounded length', async () => {
  const one = await start();
  const { store } = one.registry;
  const nodes = 9000;
  for (let number = 0; number < nodes; number++) {
    const { node } = nmosNode(number);
    mergeResource(store, ['node', 'v1.3', node, '1', '1'], store.options.instance);
  }
  const lengths: number[] = [];
  const client = new WebSocket(peerAddress(one.origin)).on('message', (data) =>
    lengths.push(String(data).length),
  );
  onTestFinished(() => client.terminate());
  const other = await start();
  other.follow(one);
  await alike(one, other, nodes);
  for (const node of [...store.list('node', 'create')]) store.remove(node, { isOwn: true });
  await eventually(clock, () => expect(other.registry.store.size).toBe(0));
  expect(Math.max(...lengths)).toBeLessThan(510_000);
});

test.each(['', 'x', '127.0.0.1:8010', 'https://192.0.2.8', 'http://192.0.2.8/x', 'http://192.0.2.8/?a'])(
  'a peer at "%s" is refused',
  (url) => {
    expect(() => peerAddress(url)).toThrow(/Expected the URL of a registry for peer but received/);
  },
);

test.each([
  ['GET', 'x', 400],
  ['POST', 'AAAAAAAAAAAAAAAAAAAAAA==', 405],
] as const)(
  'a request of a peer by %s with the key %s is refused as any other is',
  async (method, key, status) => {
    const { origin } = await start();
    const { body, headers } = await ask(`${origin}/x-whiteline/replication`, {
      method,
      headers: {
        ...{ Connection: 'Upgrade', Upgrade: 'websocket' },
        ...{ 'Sec-WebSocket-Key': key, 'Sec-WebSocket-Version': '13' },
      },
    });
    expect(body).toEqual({ code: status, error: expect.any(String), debug: null });
    expect(headers['access-control-allow-origin']).toBe('*');
  },
);
