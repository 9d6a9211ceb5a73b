import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Cable } from '../../../testing/cable';
import { TestRegistry } from '../../../testing/nmos-registry';
import { nmosId, nmosNode, nmosTypes } from '../../../testing/nmos-resources';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { eventually } from '../../../testing/time-passes';
import { instanceHeader, nowHeader, replicationProtocol } from './message';
import { peerAddress } from './peer';

/** Of all registries of a test. */
let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

const start = (): Promise<TestRegistry> => TestRegistry.start({ expirySeconds: 3600, clock });

function held({ registry: { store } }: TestRegistry): string[] {
  return nmosTypes.flatMap((type) => store.list(type, 'create').map(({ body }) => body.json)).sort();
}

async function followed(...registries: TestRegistry[]): Promise<void> {
  for (const { lines } of registries)
    await eventually(clock, () => expect(lines.join('\n')).toContain(': replicating: '));
}

/** With time for connections. */
async function seconds(count: number): Promise<void> {
  const untilNs = clock.monotonicNs() + count * 1e9;
  await eventually(clock, () => expect(clock.monotonicNs()).toBeGreaterThan(untilNs));
}

/** A peer that a registry follows, and that sends it what a test gives. */
class Liar {
  private socket: WebSocket | null = null;

  private constructor(
    private readonly registry: TestRegistry,
    /** That it says to the next that connects. */
    public instance: string,
  ) {}

  static async of(registry: TestRegistry, instance = 'liar'): Promise<Liar> {
    const liar = new Liar(registry, instance);
    const http = createServer().listen(0, '127.0.0.1');
    await once(http, 'listening');
    const sockets = new WebSocketServer({ server: http });
    sockets.on('connection', (socket) => {
      liar.socket = socket.on('error', () => undefined);
      liar.send({ hello: { protocol: replicationProtocol, instance: liar.instance } });
      liar.send({ complete: true });
    });
    onTestFinished(() => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      http.close();
    });
    registry.registry.addPeer(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
    await eventually(clock, () => expect(liar.socket).not.toBeNull());
    await followed(registry);
    return liar;
  }

  get now(): bigint {
    return this.registry.registry.store.options.shared.now();
  }

  drop(): void {
    this.socket?.terminate();
  }

  send(parts: object): void {
    this.socket?.send(JSON.stringify({ now: String(this.now), ...parts }));
  }
}

/** Whoever follows the registry from the address of its peers, and what it is sent. */
function follower({ origin }: TestRegistry, instance = 'follower'): string[] {
  const headers = { [instanceHeader]: instance, [nowHeader]: '1' };
  const client = new WebSocket(peerAddress(origin), { headers }).on('error', () => undefined);
  onTestFinished(() => client.terminate());
  const texts: string[] = [];
  client.on('message', (data) => texts.push(String(data)));
  return texts;
}

test.each([['x","1"],["remove","y'], ['a\nb'], [nmosId(10, 1).toUpperCase()]])(
  'an id %j of a departure that no resource can have goes to no file and no other peer',
  async (id) => {
    const [one, other] = [await start(), await start()];
    const liar = await Liar.of(one);
    liar.send({ changes: [['remove', id, '1']] });
    await eventually(clock, () => expect(one.lines.join('\n')).toContain('an invalid replication message'));
    one.follow(other);
    await followed(other);
    await one.registerNode(1);
    await eventually(clock, () => expect(held(other)).toHaveLength(6));
  },
);

test('what was registered at the beginning of time is refused: what it replaces would go before that', async () => {
  const one = await start();
  const liar = await Liar.of(one);
  liar.send({ changes: [['set', 'node', 'v1.3', nmosNode(1).node, '0', '0']] });
  await eventually(clock, () => expect(one.lines.join('\n')).toContain('an invalid replication message'));
  expect(held(one)).toEqual([]);
});

test('old removals and expiries of what lives make few confirmations, however many there are', async () => {
  const one = await start();
  await Liar.of(one, 'first');
  const liar = await Liar.of(one, 'second');
  const { node } = await one.registerNode(1);
  const texts = follower(one);
  await eventually(clock, () => expect(texts.join()).toContain('"complete":true'));
  const before = texts.length;
  const changes = Array.from({ length: 3000 }, (_, number) => [
    number % 2 === 0 ? 'remove' : 'expire',
    node.id,
    String(number + 1),
  ]);
  liar.send({ changes });
  await eventually(clock, () => expect(texts.slice(before).join()).toContain(`"${node.id}"`));
  await clock.pass(100);
  expect(texts.slice(before).join('').length).toBeLessThan(20_000);
  expect(held(one)).toHaveLength(6);
});

test('a standstill after which heartbeats are read first dates none of them in the future', async () => {
  const [one, other] = [await start(), await start()];
  one.follow(other);
  await followed(one, other);
  const { node } = await one.registerNode(1);
  await eventually(clock, () => expect(held(other)).toHaveLength(6));
  const lines = other.lines.length;
  await one.post(`health/nodes/${node.id}`, undefined);
  one.registry.store.excuse(30_000);
  await clock.pass(1500);
  const { device } = await one.registerNode(2);
  await eventually(clock, () => expect(held(other).join()).toContain(device.id));
  expect(other.lines.slice(lines)).toEqual([]);
});

test('wall clocks that are set back by three hours while registries run part none of them', async () => {
  const [one, other] = [await start(), await start()];
  one.follow(other);
  await followed(one, other);
  clock.stepWall(-3 * 3_600_000);
  await one.registerNode(1);
  await eventually(clock, () => expect(held(other)).toHaveLength(6));
  expect([...one.lines, ...other.lines].filter((line) => line.includes('not replicating'))).toEqual([]);
});

test('two ways to one registry: one is used, and the other when that one is lost', async () => {
  const [one, other] = [await start(), await start()];
  other.registry.addPeer(one.origin);
  const cables = [await Cable.to(other.origin), await Cable.to(other.origin)];
  for (const { url } of cables) one.registry.addPeer(url);
  await eventually(clock, () => expect(one.lines.join('\n')).toContain('another --peer names the same'));
  const lines = one.lines.length;
  await seconds(8);
  expect(one.lines.slice(lines)).toEqual([]);
  for (const [number, cable] of cables.entries()) {
    cable.cut();
    await other.registerNode(number);
    await eventually(clock, () => expect(held(one)).toHaveLength(6 * (number + 1)));
    cable.join();
  }
});

test('a peer that is lost for another reason than before says it', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  const one = await start();
  one.registry.addPeer(`http://127.0.0.1:${port}`);
  await eventually(clock, () => expect(one.lines.join('\n')).toContain('connection refused'));
  await TestRegistry.start({ clock, port });
  await eventually(clock, () =>
    expect(one.lines.join('\n')).toContain('no --peer of the registry that was asked is at 127.0.0.1'),
  );
  const lines = one.lines.length;
  await seconds(8);
  expect(one.lines.slice(lines)).toEqual([]);
});

test('a peer that refuses without end is given up and tried again', async () => {
  let tries = 0;
  const http = createServer().on('upgrade', (_, socket) => {
    tries++;
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 1000\r\n\r\n{');
    clock.every(1000, () => socket.write(' '));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.close();
  });
  const one = await start();
  one.registry.addPeer(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  await eventually(clock, () => expect(tries).toBeGreaterThan(1), { stepMs: 100 });
  expect(one.lines.join('\n')).toContain('not replicating: it sent nothing for 5 s');
});

test('a peer that once says that it is this registry itself is asked again', async () => {
  const one = await start();
  const liar = await Liar.of(one);
  liar.instance = one.registry.store.options.instance;
  liar.drop();
  await eventually(clock, () => expect(one.lines.join('\n')).toContain('its URL is that of this registry'));
  liar.instance = 'liar';
  one.lines.length = 0;
  await eventually(clock, () => expect(one.lines.join('\n')).toContain('replicating: 0 nodes'), {
    stepMs: 500,
  });
});
