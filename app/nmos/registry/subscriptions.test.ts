import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ask, type HttpAnswer } from '../../testing/http-client';
import { TestRegistry } from '../../testing/nmos-registry';
import { changed, nmosId, nmosNode, nmosTypes } from '../../testing/nmos-resources';
import { SocketMessages } from '../../testing/socket-messages';
import { eventually } from '../../testing/time-passes';
import { validate } from '../schemas/schemas';
import { taiOf } from '../tai';
import type { RegistryOptions } from './registry';
import { Subscription } from './subscription';
import { Feed } from './subscription-feed';

interface Grain {
  source_id: string;
  flow_id: string;
  origin_timestamp: string;
  grain: { topic: string; data: { path: string; pre?: object; post?: object }[] };
}
interface Shown {
  id: string;
  ws_href: string;
}

let registry: TestRegistry;
const clients: SocketMessages<Grain>[] = [];

beforeEach(async () => {
  registry = await TestRegistry.start();
});

afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.terminate();
});

async function restart(options: Partial<RegistryOptions>): Promise<void> {
  await registry.close();
  registry = await TestRegistry.start(options);
}

const usual = { max_update_rate_ms: 10, persist: false, resource_path: '/nodes', params: {} };

function subscribe(request: object = {}, version = 'v1.3'): Promise<HttpAnswer> {
  const url = `${registry.origin}/x-nmos/query/${version}/subscriptions`;
  return ask(url, { method: 'POST', json: { ...usual, ...request } });
}

async function open(request: object = {}, version = 'v1.3'): Promise<SocketMessages<Grain>> {
  const { body } = await subscribe(request, version);
  const client = await SocketMessages.open<Grain>((body as Shown).ws_href, registry.clock);
  clients.push(client);
  return client;
}

/** All events of messages until there are so many. */
async function events(client: SocketMessages<Grain>, count = 1): Promise<Grain['grain']['data']> {
  const taken: Grain['grain']['data'] = [];
  while (taken.length < count) for (const { grain } of await client.take()) taken.push(...grain.data);
  return taken;
}

describe.each(['v1.2', 'v1.3'] as const)('Query API %s', (version) => {
  test('IS-04 Subscriptions: one is made with 201 and Location, by the schema, and listed', async () => {
    const { status, headers, body } = await subscribe({}, version);
    expect(status).toBe(201);
    expect(validate('is-04', version, 'queryapi-subscription-response', body)).toBeNull();
    const { id } = body as Shown;
    expect(headers.location).toBe(`/x-nmos/query/${version}/subscriptions/${id}`);
    expect((await registry.query(`subscriptions/${id}`, version)).body).toEqual(body);
    const list = await registry.query('subscriptions', version);
    expect(validate('is-04', version, 'queryapi-subscriptions-response', list.body)).toBeNull();
    expect(list.body).toEqual([body]);
  });

  test('IS-04 Subscriptions: the same request is answered with 200 and the one there is', async () => {
    const first = await subscribe({ params: { label: 'x' } }, version);
    const second = await subscribe({ params: { label: 'x' } }, version);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect((await subscribe({ params: { label: 'y' } }, version)).status).toBe(201);
  });

  test.each(nmosTypes)(
    'IS-04 WebSocket Messages: sync, added, modified and removed %ss, by the schema',
    async (type) => {
      const { [type]: there } = await registry.registerNode(1, version);
      const client = await open({ resource_path: `/${type}s` }, version);
      const [sync] = await client.take();
      expect(sync?.grain).toMatchObject({
        topic: `/${type}s/`,
        data: [{ path: there.id, pre: there, post: there }],
      });
      const { [type]: added } = await registry.registerNode(2, version);
      const later = changed(added, 1, { label: 'later' });
      expect(await events(client)).toEqual([{ path: added.id, post: added }]);
      await registry.register(type, later, version);
      const [modified] = await client.take();
      expect(modified?.grain.data).toEqual([{ path: added.id, pre: added, post: later }]);
      await registry.delete(`${type}s/${added.id}`, version);
      const [removed] = await client.take();
      expect(removed?.grain.data).toEqual([{ path: added.id, pre: later }]);
      for (const grain of [sync, modified, removed])
        expect(validate('is-04', version, 'queryapi-subscriptions-websocket', grain)).toBeNull();
    },
  );
});

test('IS-04 WebSocket Messages: the source is the registry, the flow the subscription, times are TAI', async () => {
  const { node } = await registry.registerNode(1);
  const { body } = await subscribe();
  const client = await open();
  const [grain] = await client.take();
  const [other] = await (await open({ params: { id: node.id } })).take();
  expect(grain).toMatchObject({ flow_id: (body as Shown).id, source_id: other?.source_id });
  expect(grain?.source_id).toMatch(/^[\da-f-]{36}$/);
  // A stranger who knew it could pass for this registry at its peers.
  expect(grain?.source_id).not.toBe(registry.registry.store.options.instance);
  const seconds = Math.floor(registry.clock.wallMs() / 1000) + 37;
  expect(grain?.origin_timestamp.split(':')[0]).toBe(String(seconds));
});

test('IS-04 Handling Query Parameters: what begins or ceases to match is added or removed', async () => {
  const { node } = await registry.registerNode(1);
  const client = await open({ params: { 'tags.studio': 'HQ1' } });
  const tagged = changed(node, 1, { tags: { studio: ['HQ1'] } });
  await registry.register('node', tagged);
  expect(await events(client)).toEqual([{ path: node.id, post: tagged }]);
  await registry.register('node', changed(node, 2));
  expect(await events(client)).toEqual([{ path: node.id, pre: tagged }]);
});

test('IS-04 Handling Query Parameters: RQL filters a subscription', async () => {
  const client = await open({ params: { 'query.rql': 'eq(label,node%202)' } });
  await registry.registerNode(1);
  const { node } = await registry.registerNode(2);
  expect(await events(client)).toEqual([{ path: node.id, post: node }]);
});

test('IS-04 Downgrade Queries: a subscription takes earlier versions where it asks for them', async () => {
  const strict = await open();
  const tolerant = await open({ params: { 'query.downgrade': 'v1.2' } });
  const { node: old } = await registry.registerNode(1, 'v1.2');
  const { node } = await registry.registerNode(2, 'v1.3');
  expect((await events(tolerant, 2)).map(({ path }) => path)).toEqual([old.id, node.id]);
  expect((await events(strict)).map(({ path }) => path)).toEqual([node.id]);
});

test('IS-04 Version Translations: a subscription of v1.2 gets resources of v1.3 without what v1.3 added', async () => {
  const client = await open({}, 'v1.2');
  const services = [{ href: 'http://192.0.2.7/', type: 'urn:x-own:service:one', authorization: true }];
  await registry.register('node', { ...nmosNode(1).node, services });
  const [event] = await events(client);
  expect(event?.post).toMatchObject({ services: [{ href: 'http://192.0.2.7/' }] });
  expect(JSON.stringify(event)).not.toContain('authorization');
});

test('a node that expires is removed from subscriptions', async () => {
  const { node } = await registry.registerNode(1);
  const client = await open();
  await client.take();
  await registry.pass(12_500);
  expect(await events(client)).toEqual([{ path: node.id, pre: node }]);
});

test('IS-04 Subscriptions: not more than one message in max_update_rate_ms, and what changed meanwhile as one event', async () => {
  const { node } = await registry.registerNode(1);
  const client = await open({ max_update_rate_ms: 2000 });
  const [sync] = await client.take();
  for (let second = 1; second <= 5; second++) registry.putNode(changed(node, second));
  const other = nmosNode(2).node;
  registry.putNode(other);
  const { store } = registry.registry;
  store.remove(store.get(other.id) ?? expect.fail('it was not put'), { isOwn: true });
  const [grain] = await client.take();
  const sentMs = (one: Grain | undefined): number =>
    Number(taiOf(one?.origin_timestamp ?? '') ?? Number.NaN) / 1e6;
  expect(Math.round(sentMs(grain) - sentMs(sync))).toBe(2000);
  expect(grain?.grain.data).toEqual([{ path: node.id, pre: node, post: changed(node, 5) }]);
});

test('IS-04 Subscriptions: a persistent one is deleted with 204, which closes its clients', async () => {
  const { body } = await subscribe({ persist: true });
  const client = await open({ persist: true });
  const url = `${registry.origin}/x-nmos/query/v1.3/subscriptions/${(body as Shown).id}`;
  expect((await ask(url, { method: 'DELETE' })).status).toBe(204);
  await client.closed();
  expect((await ask(url, { method: 'DELETE' })).status).toBe(404);
  expect((await ask(url)).status).toBe(404);
});

test('IS-04 Subscriptions: one that is not persistent is not deleted (403), and goes after its last client', async () => {
  const { body } = await subscribe();
  const client = await open();
  const { id } = body as Shown;
  const url = `${registry.origin}/x-nmos/query/v1.3/subscriptions/${id}`;
  expect((await ask(url, { method: 'DELETE' })).status).toBe(403);
  await registry.pass(60_000);
  expect((await ask(url)).status).toBe(200);
  client.socket.close();
  await client.closed();
  expect((await ask(url)).status).toBe(200);
  await registry.pass(31_000);
  expect((await ask(url)).status).toBe(404);
});

test('IS-04 Subscriptions: a persistent one stays without clients', async () => {
  const { body } = await subscribe({ persist: true });
  await registry.pass(3_600_000);
  expect((await registry.query(`subscriptions/${(body as Shown).id}`)).status).toBe(200);
});

test('IS-04 Upgrade Path: a subscription of another version is 409 with its Location, and in no list but its own', async () => {
  const { body } = await subscribe({}, 'v1.2');
  const { id } = body as Shown;
  const { status, headers } = await registry.query(`subscriptions/${id}`);
  expect([status, headers.location]).toEqual([409, `/x-nmos/query/v1.2/subscriptions/${id}`]);
  expect((await registry.query('subscriptions')).body).toEqual([]);
  expect((await registry.query('subscriptions?query.downgrade=v1.2')).body).toEqual([]);
});

test.each([
  [400, { secure: true }],
  [400, { authorization: true }],
  [400, { max_update_rate_ms: -1 }],
  [400, { max_update_rate_ms: 1e12 }],
  [400, { max_update_rate_ms: '100' }],
  [400, { persist: undefined }],
  [400, { resource_path: '/subscriptions' }],
  [400, { resource_path: '/nodes/' }],
  [400, { params: [] }],
  [400, { params: { label: {} } }],
  [400, { params: { 'query.downgrade': 'v2.0' } }],
  [400, { params: { 'query.rql': 'eq(' } }],
  [501, { params: { 'query.rql': 'sort(label)' } }],
  [501, { params: { 'paging.limit': 5 } }],
  [501, { params: { 'query.ancestry_id': 'x' } }],
])('%i: a subscription with %o', async (status, request) => {
  expect((await subscribe(request)).status).toBe(status);
});

test('IS-04 Pagination: the list of subscriptions has pages and filters', async () => {
  const ids: string[] = [];
  for (const resource_path of ['/nodes', '/flows', '/senders'])
    ids.push(((await subscribe({ resource_path })).body as Shown).id);
  const first = await registry.query('subscriptions?paging.limit=2');
  expect((first.body as Shown[]).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  const { 'x-paging-limit': limit, 'x-paging-since': since } = first.headers;
  expect([limit, first.headers.link]).toEqual(['2', expect.stringContaining(`paging.until=${since}`)]);
  const rest = await registry.query(`subscriptions?paging.limit=2&paging.until=${since}`);
  expect((rest.body as Shown[]).map(({ id }) => id)).toEqual([ids[0]]);
  expect(await registry.ids('subscriptions?resource_path=/flows')).toEqual([ids[1]]);
  expect((await registry.query('subscriptions?paging.limit=x')).status).toBe(400);
  expect((await registry.query('subscriptions?query.ancestry_id=x')).status).toBe(501);
});

test('a WebSocket to no subscription is refused with 404', async () => {
  for (const id of [nmosId(0, 1), 'x']) {
    const socket = new WebSocket(
      `${registry.origin.replace('http', 'ws')}/x-nmos/query/v1.3/subscriptions/${id}/ws`,
    );
    const message = await new Promise((resolve) => socket.once('error', (error) => resolve(error.message)));
    expect(message).toContain('404');
  }
});

test('subscriptions and clients beyond their limits are refused with 503', async () => {
  await restart({ subscriptionLimits: { subscriptions: 1, sockets: 1 } });
  const { body } = await subscribe();
  expect((await subscribe({ persist: true })).status).toBe(503);
  await open();
  const second = new WebSocket((body as Shown).ws_href);
  const message = await new Promise((resolve) => second.once('error', (error) => resolve(error.message)));
  expect(message).toContain('503');
});

test('a client that answers no ping is cut', async () => {
  const { body } = await subscribe();
  const socket = new WebSocket((body as Shown).ws_href, { autoPong: false });
  await once(socket, 'open');
  const good = await open();
  await registry.pass(29_000);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  await registry.pass(2000);
  await eventually(registry.clock, () => expect(socket.readyState).toBe(WebSocket.CLOSED));
  expect(good.socket.readyState).toBe(WebSocket.OPEN);
});

test('clients that take nothing are cut where they hold too much together, and new ones are served', async () => {
  await restart({ subscriptionLimits: { waitingBytes: 10_000_000 } });
  const { node } = nmosNode(1);
  for (let number = 0; number < 40; number++) {
    const data = { ...node, id: nmosId(0, number), description: 'x'.repeat(900_000) };
    expect((await registry.register('node', data)).status).toBe(201);
  }
  for (let count = 0; count < 8; count++) (await open()).socket.pause();
  const cut = (): string[] => registry.lines.filter((line) => line.includes('this one has the most'));
  await eventually(registry.clock, () => expect(cut().length).toBeGreaterThan(0));
  const other = await open({ params: { id: nmosId(0, 7) } });
  expect((await events(other)).map(({ path }) => path)).toEqual([nmosId(0, 7)]);
});

test.each([
  ['a change cannot be filtered', () => vi.spyOn(Subscription.prototype, 'changed')],
  ['a message cannot be made', () => vi.spyOn(Feed.prototype, 'step')],
])('where %s for one subscription, its client is cut and all others get theirs', async (_, spy) => {
  const [first, second] = [await open(), await open({ max_update_rate_ms: 20 })];
  const failing = spy();
  onTestFinished(() => failing.mockRestore());
  failing.mockImplementationOnce(() => {
    throw new Error('a fault of our own');
  });
  const cut = once(first.socket, 'close');
  registry.putNode(nmosNode(1).node);
  expect(await events(second)).toMatchObject([{ path: nmosId(0, 1) }]);
  await cut;
  expect(registry.lines.join('\n')).toMatch(/subscription [\da-f-]{36}: Error: a fault of our own/);
  const again = await open();
  expect(await events(again)).toMatchObject([{ path: nmosId(0, 1) }]);
});

test('a client that sends too much is cut, and others go on', async () => {
  const [hostile, other] = [await open(), await open()];
  hostile.socket.send('x'.repeat(10_000));
  await hostile.closed();
  const { node } = await registry.registerNode(1);
  expect(await events(other)).toEqual([{ path: node.id, post: node }]);
});

test('closing the registry closes its clients', async () => {
  const client = await open();
  await registry.close();
  await client.closed();
  expect(client.socket.readyState).toBe(WebSocket.CLOSED);
});
