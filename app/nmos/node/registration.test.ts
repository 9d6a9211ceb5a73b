import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Endpoint, otherId } from '../../testing/nmos-node';
import { TestRegistry } from '../../testing/nmos-registry';
import { ScriptedRegistry } from '../../testing/scripted-registry';
import { SimulatedClock } from '../../testing/simulated-clock';
import { eventually } from '../../testing/time-passes';
import { json } from '../http/reply';
import { validate } from '../schemas/schemas';
import { type ApiFinder, type FoundApi, fixedApis } from './api-finder';
import { startExampleNode } from './example-node';
import type { NmosNode } from './nmos-node';
import { Registration, type RegistrationOptions, type RegistrationState } from './registration';
import { resourceTypes } from './resources';

const heartbeatSeconds = 5;
/** A timer comes up to 2 ms late, so that it never comes too early. */
const heartbeatMs = heartbeatSeconds * 1000 + 2;

/** Of the nodes; a registry of ours has its own. */
let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

async function startNode(): Promise<NmosNode> {
  const interfaces = [{ name: 'eth0', portId: '00-00-5e-00-53-01', addresses: ['192.0.2.1'] }];
  const node = await startExampleNode({
    hosts: ['127.0.0.1'],
    port: 0,
    interfaces,
    clock,
    label: 'node',
    senders: 1,
    receivers: 1,
  });
  onTestFinished(() => node.close());
  return node;
}

interface Registered {
  node: NmosNode;
  registration: Registration;
  states: RegistrationState[];
  lines: string[];
  becomes(is: RegistrationState['is'], registry?: string): Promise<void>;
}

async function register(
  urls: readonly string[],
  options: Partial<RegistrationOptions> = {},
): Promise<Registered> {
  const node = await startNode();
  const states: RegistrationState[] = [];
  const lines: string[] = [];
  const registration = new Registration({
    ...{
      model: node.model,
      registries: fixedApis(urls, 'v1.3', 'registry'),
      clock,
      heartbeatSeconds,
      // Of real connections, so that no busy machine comes near it.
      timeoutMs: 30_000,
    },
    onState: (state) => states.push(state),
    log: (line) => lines.push(line),
    ...options,
  });
  let isClosed = false;
  const close = registration.close.bind(registration);
  registration.close = async () => {
    isClosed = true;
    return close();
  };
  onTestFinished(async () => {
    if (!isClosed) await registration.close();
  });
  const becomes = async (is: RegistrationState['is'], registry?: string): Promise<void> => {
    const isSo = (state: RegistrationState): boolean =>
      state.is === is && (registry === undefined || ('registry' in state && state.registry === registry));
    await eventually(clock, () => expect(states.some(isSo)).toBe(true));
  };
  return { node, registration, states, lines, becomes };
}

const inOrder = resourceTypes.map((type) => `POST v1.3 ${type}`);

describe('IS-04 v1.3 Behaviour: Registration, with our registry', () => {
  it('Initial Registration: all resources are there, as the Node API shows them', async () => {
    const registry = await TestRegistry.start();
    const { node, becomes } = await register([registry.origin]);
    await becomes('registered');
    for (const type of resourceTypes) {
      const { body } = await registry.query(`${type}s`);
      expect(body).toEqual(node.model.list(type, 'v1.3'));
    }
  });

  it('Node Encounters HTTP 200 On First Registration: what was left of an earlier life is removed', async () => {
    const registry = await TestRegistry.start();
    const { node, registration, becomes } = await register([registry.origin]);
    await becomes('registered');
    // The node comes back without its sender, and with nothing known of before.
    const sender = node.model.ids('sender')[0] ?? '';
    expect(await registry.ids('senders')).toEqual([sender]);
    node.remove('sender', sender);
    const states: RegistrationState[] = [];
    await registry.register('sender', node.model.get('sender', sender));
    const again = new Registration({
      ...{
        model: node.model,
        registries: fixedApis([registry.origin], 'v1.3', 'registry'),
        ...{ clock, heartbeatSeconds },
      },
      ...{ onState: (state) => states.push(state), log: () => {} },
    });
    await eventually(clock, () => expect(states.at(-1)?.is).toBe('registered'));
    expect(await registry.ids('senders')).toEqual([]);
    expect(await registry.ids('receivers')).toHaveLength(1);
    await again.close();
    await registration.close();
  });

  it('Node Encounters HTTP 404 On Heartbeat: all is registered again', async () => {
    const registry = await TestRegistry.start();
    const { node, states, becomes } = await register([registry.origin]);
    await becomes('registered');
    await registry.pass(13_000);
    expect(await registry.ids('nodes')).toEqual([]);
    await clock.pass(heartbeatMs);
    await eventually(clock, () => expect(states.filter(({ is }) => is === 'registered')).toHaveLength(2));
    expect(await registry.ids('nodes')).toEqual([node.model.node.id]);
    expect(await registry.ids('receivers')).toHaveLength(1);
  });

  it('Node Encounters HTTP 409 On Registration: it leaves the other version first', async () => {
    const registry = await TestRegistry.start();
    const { node, registration, becomes } = await register([registry.origin], {
      registries: fixedApis([registry.origin], 'v1.2', 'registry'),
    });
    await becomes('registered');
    expect(await registry.ids('nodes', 'v1.2')).toEqual([node.model.node.id]);
    const states: RegistrationState[] = [];
    const newer = new Registration({
      ...{
        model: node.model,
        registries: fixedApis([registry.origin], 'v1.3', 'registry'),
        ...{ clock, heartbeatSeconds },
      },
      ...{ onState: (state) => states.push(state), log: () => {} },
    });
    await eventually(clock, () =>
      expect(states.at(-1)).toMatchObject({ is: 'registered', version: 'v1.3', resources: 6 }),
    );
    expect(await registry.ids('nodes')).toEqual([node.model.node.id]);
    await newer.close();
    await registration.close();
  });

  it('Registration Updates: an activation reaches the Query API, with its version', async () => {
    const registry = await TestRegistry.start();
    const { node, becomes } = await register([registry.origin]);
    await becomes('registered');
    const id = node.model.ids('receiver')[0] ?? '';
    const activation = { mode: 'activate_immediate' };
    await new Endpoint(node, 'receiver', id).patch({ sender_id: otherId, master_enable: true, activation });
    await eventually(clock, async () =>
      expect((await registry.query(`receivers/${id}`)).body).toEqual(node.model.get('receiver', id)),
    );
    expect(node.model.get('receiver', id)?.subscription).toEqual({ sender_id: otherId, active: true });
  });

  it('Controlled Unregistration: nothing of it is left, and all of others', async () => {
    const registry = await TestRegistry.start();
    const stranger = await registry.registerNode(7);
    const { registration, states, becomes } = await register([registry.origin]);
    await becomes('registered');
    await registration.close();
    expect(states.at(-1)).toEqual({ is: 'removed', registry: registry.origin });
    for (const type of resourceTypes) expect(await registry.ids(`${type}s`)).toEqual([stranger[type].id]);
  });
});

describe('IS-04 v1.3 Behaviour: Registration', () => {
  it('Referential Integrity: node, device, source, flow, sender, receiver', async () => {
    const registry = await ScriptedRegistry.start();
    const { becomes } = await register([registry.url]);
    await becomes('registered');
    expect(registry.words).toEqual(inOrder);
  });

  it('Heartbeating: one at each interval, also while much is registered', async () => {
    const registry = await ScriptedRegistry.start(async ({ type }) => {
      if (type !== undefined) await clock.pass(3000);
      return undefined;
    });
    await register([registry.url]);
    await registry.hears(({ words }) => words.includes('POST v1.3 receiver'));
    const [node, device, source, flow, sender, receiver] = inOrder;
    const heartbeat = 'POST v1.3 heartbeat';
    const first = [node, device, source, heartbeat, flow, sender, heartbeat, receiver];
    expect(registry.words).toEqual(first);
    for (let more = 1; more <= 3; more++) {
      await clock.pass(heartbeatMs);
      await registry.hears(({ words }) => words.length >= first.length + more);
    }
    expect(registry.words).toEqual([...first, heartbeat, heartbeat, heartbeat]);
  });

  it('Heartbeating: at another interval from the last heartbeat on', async () => {
    const registry = await ScriptedRegistry.start();
    const { registration, becomes } = await register([registry.url]);
    await becomes('registered');
    for (const [seconds, beats] of [
      [2, 1],
      [8, 2],
    ] as const) {
      registration.heartbeatEvery(seconds);
      await clock.pass(seconds * 1000 - 100);
      expect(registry.words).toHaveLength(inOrder.length + beats - 1);
      await clock.pass(102);
      await registry.hears(({ words }) => words.length === inOrder.length + beats);
    }
  });

  it('APIs: Client Side, Empty Request Bodies: a heartbeat has no body and no Content-Type', async () => {
    const registry = await ScriptedRegistry.start();
    const { becomes } = await register([registry.url]);
    await becomes('registered');
    await clock.pass(heartbeatMs);
    await registry.hears(({ words }) => words.includes('POST v1.3 heartbeat'));
    const heartbeat = registry.heard.find(
      ({ type, method }) => type === undefined && method === 'POST',
    )?.request;
    expect(heartbeat?.body).toBeUndefined();
    expect(heartbeat?.headers).toMatchObject({ 'content-length': '0', accept: 'application/json' });
    expect(heartbeat?.headers).not.toHaveProperty('content-type');
    expect(heartbeat?.headers).not.toHaveProperty('transfer-encoding');
  });

  it('Node Encounters HTTP 400 On Registration: the node is not sent again until it changes', async () => {
    let isRefusing = true;
    const registry = await ScriptedRegistry.start(({ type }) =>
      isRefusing && type === 'node'
        ? json(400, { code: 400, error: 'No such nodes', debug: null })
        : undefined,
    );
    const { node, states, becomes } = await register([registry.url]);
    await becomes('refused');
    expect(states.at(-1)).toMatchObject({ reason: '400 No such nodes' });
    // It sleeps now: what wakes it is a change.
    isRefusing = false;
    const device = node.model.get('device', node.model.ids('device')[0] ?? '');
    if (device) node.model.set('device', device);
    expect(registry.words).toEqual(['POST v1.3 node']);
    node.model.set('node', node.model.node);
    await becomes('registered');
    expect(registry.words).toEqual(['POST v1.3 node', ...inOrder]);
  });

  it('Node Encounters HTTP 400 On Registration: of another resource is logged, and the rest is registered', async () => {
    const registry = await ScriptedRegistry.start(({ type }) =>
      type === 'sender' ? json(400, { code: 400, error: 'No such senders', debug: null }) : undefined,
    );
    const { states, lines, becomes } = await register([registry.url]);
    await becomes('registered');
    expect(states.at(-1)).toMatchObject({ resources: 5 });
    for (let heartbeats = 1; heartbeats <= 2; heartbeats++) {
      await clock.pass(heartbeatMs);
      await registry.hears(({ words }) => words.length >= inOrder.length + heartbeats);
    }
    expect(registry.words.filter((word) => word === 'POST v1.3 sender')).toHaveLength(1);
    expect(lines.join('\n')).toMatch(/refuses sender .+: 400 No such senders/);
  });

  it('5xx: the next registry, where a heartbeat comes first; known there, nothing is registered again', async () => {
    let isDown = false;
    const first = await ScriptedRegistry.start(() => (isDown ? json(503, {}) : undefined));
    const second = await ScriptedRegistry.start(({ path }) =>
      path.includes('health') ? json(200, { health: '1' }) : undefined,
    );
    const { node, becomes } = await register([first.url, second.url], { firstBackOffMs: 60_000 });
    await becomes('registered', first.url);
    isDown = true;
    await clock.pass(heartbeatMs);
    await becomes('registered', second.url);
    await clock.pass(heartbeatMs);
    await second.hears(({ heard }) => heard.length >= 2);
    expect(second.words).toEqual(['POST v1.3 heartbeat', 'POST v1.3 heartbeat']);
    node.remove('receiver', node.model.ids('receiver')[0] ?? '');
    await second.hears(({ words }) => words.includes('DELETE v1.3 receivers'));
  });

  it('5xx: a next registry that does not know the node gets all of it', async () => {
    let isDown = false;
    const first = await ScriptedRegistry.start(() => (isDown ? json(500, {}) : undefined));
    const second = await ScriptedRegistry.start();
    const { becomes } = await register([first.url, second.url], { firstBackOffMs: 60_000 });
    await becomes('registered', first.url);
    isDown = true;
    await clock.pass(heartbeatMs);
    // Time stands still, so that no other heartbeat is due before the last resource.
    await second.hears(({ words }) => words.includes('POST v1.3 receiver'));
    expect(second.words).toEqual(['POST v1.3 heartbeat', ...inOrder]);
  });

  it('5xx in the middle of a registration: what is missing is registered too', async () => {
    let isOver = false;
    const registry = await ScriptedRegistry.start(({ type }) => {
      if (type !== 'flow' || isOver) return undefined;
      isOver = true;
      return json(503, {});
    });
    const { states, becomes } = await register([registry.url]);
    await becomes('registered', registry.url);
    expect(states.at(-1)).toMatchObject({ resources: inOrder.length });
    const order = ['POST v1.3 node', 'POST v1.3 device', 'POST v1.3 source', 'POST v1.3 flow'];
    expect(registry.words).toEqual([...order, 'POST v1.3 node', 'DELETE v1.3 nodes', ...inOrder]);
  });

  it('a web server that answers everything is no Registration API', async () => {
    const server = await ScriptedRegistry.start(() => json(200, { welcome: true }));
    const { lines, becomes } = await register([server.url]);
    await becomes('waiting', server.url);
    expect(lines[0]).toBe(
      `The registry ${server.url} failed: it answered 200 without the resource: this is not a Registration API`,
    );
  });

  it('A Timeout: after one heartbeat interval the next registry is used', async () => {
    const silent = await ScriptedRegistry.start(() => new Promise(() => {}));
    const second = await ScriptedRegistry.start();
    // It is the limit of a real connection too.
    const { lines, becomes } = await register([silent.url, second.url], {
      heartbeatSeconds: 0.3,
      timeoutMs: undefined,
    });
    await becomes('registered', second.url);
    expect(lines[0]).toBe(`The registry ${silent.url} failed: no answer within 0.3 s`);
  });

  it('Inability To Connect: the next registry is used', async () => {
    const second = await ScriptedRegistry.start();
    const { becomes, lines } = await register(['http://127.0.0.1:1', second.url]);
    await becomes('registered', second.url);
    expect(lines[0]).toMatch(
      /^The registry http:\/\/127\.0\.0\.1:1 failed: connection refused, nothing listens on that port/,
    );
  });

  it('5xx of all: the waits grow, up to 30 s, and end with the first answer', async () => {
    let isDown = true;
    const registry = await ScriptedRegistry.start(() => (isDown ? json(500, {}) : undefined));
    const { states } = await register([registry.url]);
    const waits = (): number[] => states.flatMap((state) => (state.is === 'waiting' ? [state.seconds] : []));
    await eventually(clock, () => expect(waits().length).toBeGreaterThanOrEqual(7), { stepMs: 500 });
    for (const [index, seconds] of waits().slice(0, 7).entries()) {
      const usualSeconds = Math.min(2 ** index, 30);
      expect(seconds).toBeLessThanOrEqual(usualSeconds * 1.25);
      expect(seconds).toBeGreaterThanOrEqual(usualSeconds * 0.75 - 0.001);
    }
    isDown = false;
    await eventually(clock, () => expect(states.at(-1)?.is).toBe('registered'), { stepMs: 500 });
  });

  it('Controlled Unregistration: children before their parents', async () => {
    const registry = await ScriptedRegistry.start();
    const { registration, becomes } = await register([registry.url]);
    await becomes('registered');
    await registration.close();
    expect(registry.words.slice(inOrder.length)).toEqual(
      [...resourceTypes].reverse().map((type) => `DELETE v1.3 ${type}s`),
    );
  });

  it('a registry that does not answer any more does not hold up the end', async () => {
    let isSilent = false;
    const registry = await ScriptedRegistry.start(() => (isSilent ? json(500, {}) : undefined));
    const { registration, lines, becomes } = await register([registry.url]);
    await becomes('registered');
    isSilent = true;
    expect(await registration.close()).toBe('stays');
    expect(lines.at(-1)).toMatch(
      /^Could not remove this node from .+, where it will expire: it answered 500/,
    );
  });

  it('an answer that is no JSON, or a megabyte too long, is a failure of the registry', async () => {
    const endless = await ScriptedRegistry.start(() => json(201, 'x'.repeat(2_000_000)));
    const second = await ScriptedRegistry.start(() => ({
      status: 201,
      body: 'created',
      contentType: 'text/plain',
    }));
    const { lines, becomes } = await register([endless.url, second.url], { firstBackOffMs: 60_000 });
    await becomes('waiting');
    expect(lines[0]).toMatch(/the answer is longer than 1 MB/);
    expect(second.words).toEqual(['POST v1.3 node']);
  });
});

it('IS-04 v1.3 Upgrade Path: at a registry of v1.2 it is registered as v1.2 has it', async () => {
  const registry = await ScriptedRegistry.start();
  const { becomes } = await register([], { registries: fixedApis([registry.url], 'v1.2', 'registry') });
  await becomes('registered');
  expect(registry.words).toEqual(resourceTypes.map((type) => `POST v1.2 ${type}`));
  for (const { type, request } of registry.heard) {
    const { body } = request;
    const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null;
    expect(validate('is-04', 'v1.2', type ?? '', data)).toBeNull();
    expect(JSON.stringify(data)).not.toContain('authorization');
  }
});

it('IS-04 v1.3 Discovery: a registry that is found later is used then', async () => {
  const registry = await ScriptedRegistry.start();
  const found: FoundApi[] = [];
  const listeners: (() => void)[] = [];
  const registries: ApiFinder = {
    find: () => found,
    onChange: (listener) => {
      listeners.push(listener);
      return () => {};
    },
    doubt: () => {},
    close: () => {},
  };
  const { becomes, registration } = await register([], { registries });
  await becomes('searching');
  found.push({ url: registry.url, version: 'v1.3' });
  for (const listener of listeners) listener();
  await becomes('registered');
  await registration.close();
});
