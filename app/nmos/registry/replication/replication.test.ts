import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Cable } from '../../../testing/cable';
import { ask } from '../../../testing/http-client';
import { TestRegistry } from '../../../testing/nmos-registry';
import { changed, nmosId, nmosNode, nmosTypes } from '../../../testing/nmos-resources';
import { cases, Random, seeds } from '../../../testing/random';
import { aheadOf, SimulatedClock } from '../../../testing/simulated-clock';
import { eventually } from '../../../testing/time-passes';
import { mergeEntry } from '../merge';
import { instanceHeader, nowHeader } from './message';
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

/** Two whose connections can be cut. */
async function twoByCables(
  expirySeconds?: number,
): Promise<{ one: TestRegistry; other: TestRegistry; cables: Cable[] }> {
  const [one, other] = [await start(expirySeconds), await start(expirySeconds)];
  const [toOther, toOne] = [await Cable.to(other.origin), await Cable.to(one.origin)];
  one.registry.addPeer(toOther.url);
  other.registry.addPeer(toOne.url);
  await followed(one, other);
  return { one, other, cables: [toOther, toOne] };
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

test('only a peer that is named there is taken, and both say what to do', async () => {
  const [one, other] = [await start(), await start()];
  one.registry.addPeer(other.origin);
  await eventually(clock, () =>
    expect(one.lines.join('\n')).toContain(
      'not replicating: it refuses with 403: no --peer of the registry that was asked is at 127.0.0.1: add one there',
    ),
  );
  expect(other.lines.join('\n')).toContain('refused a replication from 127.0.0.1: ');
  other.registry.addPeer(one.origin);
  await followed(one, other);
});

/** A WebSocket for the replication of a registry. */
function stranger({ origin }: TestRegistry, headers: Record<string, string>): WebSocket {
  const client = new WebSocket(peerAddress(origin), { headers }).on('error', () => undefined);
  onTestFinished(() => client.terminate());
  return client;
}

test('a web page may not replicate, nor what does not say who it is, or comes from an hour ahead', async () => {
  const [one] = await two();
  const statusOf = async (headers: Record<string, string>): Promise<unknown> => {
    const [, { statusCode }] = await once(stranger(one, headers), 'unexpected-response');
    return statusCode;
  };
  const named = { [instanceHeader]: 'x', [nowHeader]: '1' };
  expect(await statusOf({ ...named, Origin: 'http://evil.example' })).toBe(403);
  expect(await statusOf({ [instanceHeader]: 'x' })).toBe(400);
  expect(await statusOf({ ...named, [nowHeader]: '9000000000000000000' })).toBe(400);
});

test('strangers at the address of a peer do not keep it out', async () => {
  const [one, other] = [await start(), await start()];
  one.registry.addPeer(other.origin);
  for (let number = 0; number < 10; number++)
    await once(stranger(one, { [instanceHeader]: `stranger ${number}`, [nowHeader]: '1' }), 'open');
  other.registry.addPeer(one.origin);
  await followed(one, other);
  for (let number = 10; number < 20; number++) {
    const late = stranger(one, { [instanceHeader]: `stranger ${number}`, [nowHeader]: '1' });
    const [, { statusCode }] = await once(late, 'unexpected-response');
    expect(statusCode).toBe(503);
  }
  await one.registerNode(1);
  await alike(one, other, 6);
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
    const heardAt = one.registry.store.get(node.id)?.health?.heardAt;
    await eventually(clock, () => expect(other.registry.store.get(node.id)?.health?.heardAt).toBe(heardAt));
    expect(other.registry.store.size).toBe(6);
  }
  await clock.pass(61_000);
  await eventually(clock, () => expect([held(one), held(other)]).toEqual([[], []]));
});

test('a node that one lets expire, while it speaks to the other, is at both again', async () => {
  const { one, other, cables } = await twoByCables(60);
  const { node } = await one.registerNode(1);
  await alike(one, other, 6);
  for (const cable of cables) cable.cut();
  for (let round = 0; round < 4; round++) {
    await clock.pass(20_000);
    expect((await other.post(`health/nodes/${node.id}`, undefined)).status).toBe(200);
  }
  expect([held(one).length, held(other).length]).toEqual([0, 6]);
  for (const cable of cables) cable.join();
  await alike(one, other, 6);
});

test('one that was expired at one side does not come back from the other, which has not looked yet', async () => {
  const { one, other, cables } = await twoByCables(60);
  await one.registerNode(1);
  await alike(one, other, 6);
  for (const cable of cables) cable.cut();
  await clock.pass(61_000);
  // The other waits 3 s longer, for what its peer may still say.
  expect([held(one).length, held(other).length]).toEqual([0, 6]);
  for (const cable of cables) cable.join();
  await alike(one, other, 0);
});

test('heartbeats that alternate between the two send nothing but lives', async () => {
  const { one, other } = await twoByCables(60);
  const { node } = await one.registerNode(1);
  await alike(one, other, 6);
  let entries = 0;
  for (const { registry } of [one, other]) registry.store.onLog(() => entries++);
  for (let round = 0; round < 10; round++) {
    for (const each of [one, other])
      expect((await each.post(`health/nodes/${node.id}`, undefined)).status).toBe(200);
    await clock.pass(5000);
  }
  expect(entries).toBe(0);
});

test('one id for two things: both keep what was registered later', async () => {
  const { one, other, cables } = await twoByCables();
  for (const cable of cables) cable.cut();
  const { node, device } = nmosNode(1);
  await one.register('node', node);
  await one.register('device', device);
  await clock.pass(1000);
  const second = { ...nmosNode(2).node, id: device.id };
  await other.register('node', second);
  for (const cable of cables) cable.join();
  await alike(one, other, 2);
  expect(held(one)).toContain(JSON.stringify(second));
});

test('clocks that are an hour apart: what a client did last counts', async () => {
  const wide = aheadOf(clock, () => 3_600_000);
  const [one, other] = [await start(), await TestRegistry.start({ expirySeconds: 3600, clock: wide })];
  const { sender } = await one.registerNode(1);
  await one.registerNode(2);
  await other.registerNode(3);
  one.follow(other);
  await alike(one, other, 18);
  await other.register('sender', changed(sender, 0, { label: 'first' }));
  await clock.pass(1000);
  await one.register('sender', changed(sender, 0, { label: 'then' }));
  await other.delete(`nodes/${nmosId(0, 2)}`);
  await one.delete(`nodes/${nmosId(0, 3)}`);
  await alike(one, other, 6);
  expect((await other.query(`senders/${sender.id}`)).body).toMatchObject({ label: 'then' });
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
  other.follow(one);
  for (let number = 0; number < changes; number++) {
    await one.registerNode(nodes + number);
    await one.delete(`nodes/${nmosId(0, number)}`);
  }
  await alike(one, other, nodes - changes + changes * 6);
});

test('a partition heals: changes at both sides, conflicts by version, and removals', async () => {
  const { one, other, cables } = await twoByCables();
  const kept = await one.registerNode(1);
  await one.registerNode(2);
  await other.registerNode(3);
  await alike(one, other, 18);
  for (const cable of cables) cable.cut();

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

  for (const cable of cables) cable.join();
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
  expect(changes).toBe(3 * 7);
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
    /not replicating: (it answers with 200, and is no registry|the connection was reset|the connection was closed)/,
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

const now = String((BigInt(Date.UTC(2026, 10, 27, 12)) + 37_000n) * 1_000_000n);
const hello = JSON.stringify({ now, hello: { protocol: 3, instance: 'liar' } });
const resource = nmosNode(7);
const changes = (...entries: unknown[]): string => JSON.stringify({ now, changes: entries });
const set = (type: string, data: unknown, at = '1'): unknown[] => ['set', type, 'v1.3', data, at, '1'];
test.each([
  ['rubbish', ['{'], 'an invalid replication message'],
  ['another protocol', [JSON.stringify({ now, hello: { protocol: 4, instance: 'x' } })], 'it uses version 4'],
  ['no hello', [changes()], 'its first message does not identify it'],
  ['no time', [hello, '{"changes":[]}'], 'an invalid replication message'],
  ['entries of another shape', [hello, changes(['set', 1])], 'an invalid replication message'],
  ['entries of another kind', [hello, changes(['put', 'x', '1'])], 'an invalid replication message'],
  [
    'lives of another shape',
    [hello, JSON.stringify({ now, health: [['x', 'y', 'z']] })],
    'an invalid replication message',
  ],
  [
    'a time far ahead',
    [JSON.stringify({ now: '9000000000000000000', hello: { protocol: 3, instance: 'liar' } })],
    's ahead of the clock of this registry',
  ],
  [
    'a removal later than its time',
    [hello, changes(['remove', nmosId(0, 1), '9000000000000000000'])],
    'it dates a change later than its own clock',
  ],
  [
    'a body later than its time',
    [hello, changes(['set', 'node', 'v1.3', {}, '1', '9000000000000000000'])],
    'it dates a change later than its own clock',
  ],
  [
    'a message that is longer than those of a registry',
    [hello, `${changes()}${' '.repeat(5_000_000)}`],
    'it sent a message over the size limit',
  ],
  ['what is nested without end', [hello, '['.repeat(4_000_000)], 'an invalid replication message'],
  ['bytes', [Buffer.from(hello)], 'an invalid replication message'],
  ['a node without attributes', [hello, changes(set('node', { id: 'x' }))], 'resource refused: Expected'],
  [
    'what is nested deep',
    [
      hello,
      `{"now":"${now}","changes":[["set","node","v1.3",${JSON.stringify(resource.node).slice(0, -1)},"x":${'['.repeat(900)}${']'.repeat(900)}},"1","1"]]}`,
    ],
    'nested too deep',
  ],
  ['no type', [hello, changes(set('__proto__', {}))], 'unknown type'],
  [
    'a device without its node',
    [hello, changes(set('device', resource.device))],
    'that this registry does not hold',
  ],
])('a peer that sends %s is bounded and said', async (_, messages, words) => {
  const { url } = await sender(messages);
  const registry = await start();
  registry.registry.addPeer(url);
  await eventually(clock, () => expect(registry.lines.join('\n')).toContain(words));
  expect((await registry.query('nodes')).status).toBe(200);
});

test('a peer that is refused each time after it sent all is asked ever less often', async () => {
  const { url, connectedMs } = await sender([hello, JSON.stringify({ now, complete: true }), '{']);
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
    const entry = { type: 'node', apiVersion: 'v1.3', data: node, at: 1n, bodyAt: 1n, life: null };
    mergeEntry(store, { kind: 'set', ...entry });
  }
  const lengths: number[] = [];
  const [other, third] = [await start(), await start()];
  other.follow(one);
  one.registry.addPeer(third.origin);
  stranger(one, { [instanceHeader]: 'third', [nowHeader]: '1' }).on('message', (data) =>
    lengths.push(String(data).length),
  );
  await alike(one, other, nodes);
  for (const node of [...store.list('node', 'create')]) store.remove(node, { isOwn: true });
  await eventually(clock, () => expect(other.registry.store.size).toBe(0));
  expect(Math.max(...lengths)).toBeLessThan(510_000);
});

test.each([
  '',
  'x',
  '127.0.0.1:8010',
  'http://127.0.0.1:0',
  'https://192.0.2.8',
  'http://192.0.2.8/x',
  'http://192.0.2.8/?a',
])('a peer at "%s" is refused', (url) => {
  expect(() => peerAddress(url)).toThrow(/Expected the URL of a registry.* for peer but received/);
});

test.each([
  ['GET', 'x', 400],
  ['POST', 'AAAAAAAAAAAAAAAAAAAAAA==', 405],
] as const)(
  'a request of a peer by %s with the key %s is refused as any other is',
  async (method, key, status) => {
    const registry = await start();
    registry.registry.addPeer('http://127.0.0.1:1');
    const { body, headers } = await ask(`${registry.origin}/x-whiteline/replication`, {
      method,
      headers: {
        ...{ [instanceHeader]: 'x', [nowHeader]: '1' },
        ...{ Connection: 'Upgrade', Upgrade: 'websocket' },
        ...{ 'Sec-WebSocket-Key': key, 'Sec-WebSocket-Version': '13' },
      },
    });
    expect(body).toEqual({ code: status, error: expect.any(String), debug: null });
    expect(headers['access-control-allow-origin']).toBe('*');
  },
);
