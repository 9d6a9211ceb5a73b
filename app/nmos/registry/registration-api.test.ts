import { describe, expect, test } from 'vitest';
import { ask } from '../../testing/http-client';
import { TestRegistry } from '../../testing/nmos-registry';
import { changed, nmosId, nmosNode, nmosTypes } from '../../testing/nmos-resources';
import { validate } from '../schemas/schemas';

const start = (): Promise<TestRegistry> => TestRegistry.start();

describe.each(['v1.2', 'v1.3'] as const)('Registration API %s', (version) => {
  test('IS-04 Registration: base resources list what is below them', async () => {
    const { origin } = await start();
    const list = async (path: string): Promise<unknown> => (await ask(origin + path)).body;
    expect(await list('/')).toEqual(['x-nmos/']);
    expect(await list('/x-nmos/')).toEqual(['query/', 'registration/', 'system/']);
    expect(await list('/x-nmos/registration')).toEqual(['v1.2/', 'v1.3/']);
    const base = await list(`/x-nmos/registration/${version}`);
    expect(validate('is-04', version, 'registrationapi-base', base)).toBeNull();
  });

  test.each(nmosTypes)(
    'IS-04 Registration: a first %s is answered with 201, Location and itself',
    async (type) => {
      const registry = await start();
      const resources = nmosNode(1);
      for (const each of nmosTypes.slice(0, nmosTypes.indexOf(type)))
        await registry.register(each, resources[each], version);
      const { status, headers, body } = await registry.register(type, resources[type], version);
      expect([status, body]).toEqual([201, resources[type]]);
      const path = `/x-nmos/registration/${version}/resource/${type}s/${resources[type].id}`;
      expect(headers.location).toBe(path);
      expect((await ask(registry.origin + path)).body).toEqual(resources[type]);
      expect(validate('is-04', version, 'registrationapi-resource-response', body)).toBeNull();
    },
  );

  test.each(nmosTypes)(
    'IS-04 Registration: an update of a %s is answered with 200 and Location',
    async (type) => {
      const registry = await start();
      const resources = await registry.registerNode(1, version);
      const later = changed(resources[type], 1, { label: 'other' });
      const { status, headers, body } = await registry.register(type, later, version);
      expect([status, body]).toEqual([200, later]);
      expect(headers.location).toContain(resources[type].id);
      expect((await registry.query(`${type}s/${later.id}`, version)).body).toEqual(later);
    },
  );

  test.each(nmosTypes)(
    'IS-04 Registration: a %s that does not match its schema is refused with 400',
    async (type) => {
      const registry = await start();
      const resources = nmosNode(1);
      for (const each of nmosTypes.slice(0, nmosTypes.indexOf(type)))
        await registry.register(each, resources[each], version);
      const { status, body } = await registry.register(
        type,
        { ...resources[type], label: undefined },
        version,
      );
      expect(status).toBe(400);
      expect(body).toEqual({ code: 400, error: expect.stringContaining('/data/label'), debug: null });
      expect(validate('is-04', version, 'error', body)).toBeNull();
      expect((await registry.query(`${type}s/${resources[type].id}`, version)).status).toBe(404);
    },
  );

  test.each(nmosTypes.slice(1))(
    'IS-04 Referential Integrity: a %s without its parent is refused with 400',
    async (type) => {
      const registry = await start();
      const { status, body } = await registry.register(type, nmosNode(1)[type], version);
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: expect.stringMatching(/Expected a registered (node|device)/) });
    },
  );

  test('IS-04 Registration: a heartbeat is answered with 200 and the health in TAI seconds', async () => {
    const registry = await start();
    const { node } = await registry.registerNode(1, version);
    await registry.pass(5000);
    const seconds = Math.floor(registry.clock.wallMs() / 1000) + 37;
    const { status, body } = await registry.post(`health/nodes/${node.id}`, undefined, version);
    expect(status).toBe(200);
    expect(validate('is-04', version, 'registrationapi-health-response', body)).toBeNull();
    const { health } = body as { health: string };
    expect(Number(health)).toBe(seconds);
    const path = `${registry.origin}/x-nmos/registration/${version}/health/nodes/${node.id}`;
    expect((await ask(path)).body).toEqual({ health });
  });

  test('IS-04 Registration: a heartbeat of an unknown node is answered with 404', async () => {
    const registry = await start();
    const { device } = await registry.registerNode(1, version);
    for (const id of [nmosId(0, 9), device.id, 'x'])
      expect((await registry.post(`health/nodes/${id}`, undefined, version)).status).toBe(404);
  });

  test('IS-04 Heartbeating: a node without heartbeats expires after 12 s, with all that belongs to it', async () => {
    const registry = await start();
    await registry.registerNode(1, version);
    const other = await registry.registerNode(2, version);
    await registry.pass(11_000);
    expect(await registry.ids('nodes', version)).toHaveLength(2);
    expect((await registry.post(`health/nodes/${other.node.id}`, undefined, version)).status).toBe(200);
    await registry.pass(1500);
    for (const type of nmosTypes) expect(await registry.ids(`${type}s`, version)).toEqual([other[type].id]);
    expect((await registry.post(`health/nodes/${nmosId(0, 1)}`, undefined, version)).status).toBe(404);
  });

  test('IS-04 Controlled Unregistration: a resource is deleted with 204, and then is 404', async () => {
    const registry = await start();
    const resources = await registry.registerNode(1, version);
    for (const type of [...nmosTypes].reverse()) {
      const path = `${type}s/${resources[type].id}`;
      expect((await registry.delete(path, version)).status).toBe(204);
      expect((await registry.delete(path, version)).status).toBe(404);
      expect((await registry.query(path, version)).status).toBe(404);
    }
  });

  test('IS-04 Referential Integrity: with a parent, its children are deleted', async () => {
    const registry = await start();
    const resources = await registry.registerNode(1, version);
    await registry.delete(`devices/${resources.device.id}`, version);
    expect(await registry.ids('nodes', version)).toEqual([resources.node.id]);
    for (const type of nmosTypes.slice(1)) expect(await registry.ids(`${type}s`, version)).toEqual([]);
  });

  test('IS-04 Registration HTTP 400: an id of another type is refused', async () => {
    const registry = await start();
    const { node, device } = await registry.registerNode(1, version);
    const { status, body } = await registry.register('device', { ...device, id: node.id }, version);
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining('belongs to a node already') }),
    ]);
  });

  test('IS-04 Registration HTTP 400: a version earlier than the registered one is refused', async () => {
    const registry = await start();
    const { node } = await registry.registerNode(1, version);
    expect((await registry.register('node', changed(node, -1), version)).status).toBe(400);
    expect(
      (await registry.register('node', { ...node, version: '01441700172:318426301' }, version)).status,
    ).toBe(200);
    expect((await registry.register('node', { ...node, version: '999999999:0' }, version)).status).toBe(400);
  });

  test('IS-04 Registration HTTP 400: another parent than before is refused', async () => {
    const registry = await start();
    const { device } = await registry.registerNode(1, version);
    const { node } = await registry.registerNode(2, version);
    const moved = changed(device, 1, { node_id: node.id });
    expect((await registry.register('device', moved, version)).status).toBe(400);
  });

  test('IS-04 Registration HTTP 409: another version of the API is refused, with the Location of the right one', async () => {
    const registry = await start();
    const { node } = await registry.registerNode(1, version);
    const other = version === 'v1.2' ? 'v1.3' : 'v1.2';
    const path = `/x-nmos/registration/${version}`;
    const post = await registry.register('node', node, other);
    expect([post.status, post.headers.location]).toEqual([409, `${path}/resource/nodes/${node.id}`]);
    const heartbeat = await registry.post(`health/nodes/${node.id}`, undefined, other);
    expect([heartbeat.status, heartbeat.headers.location]).toEqual([409, `${path}/health/nodes/${node.id}`]);
    const removal = await registry.delete(`nodes/${node.id}`, other);
    expect([removal.status, removal.headers.location]).toEqual([409, `${path}/resource/nodes/${node.id}`]);
    const get = await ask(`${registry.origin}/x-nmos/registration/${other}/resource/nodes/${node.id}`);
    expect([get.status, get.headers.location]).toEqual([409, `${path}/resource/nodes/${node.id}`]);
  });

  test('a device by another version of the API than its node is refused', async () => {
    const registry = await start();
    const { node, device } = nmosNode(1);
    await registry.register('node', node, version);
    const { status } = await registry.register('device', device, version === 'v1.2' ? 'v1.3' : 'v1.2');
    expect(status).toBe(400);
  });

  test('IS-04 APIs, CORS: OPTIONS is answered for resources and health', async () => {
    const { origin } = await start();
    const base = `${origin}/x-nmos/registration/${version}`;
    for (const path of ['resource', `resource/nodes/${nmosId(0, 1)}`, `health/nodes/${nmosId(0, 1)}`])
      expect((await ask(`${base}/${path}`, { method: 'OPTIONS' })).status).toBe(200);
  });
});

test.each([
  [undefined, /Expected one of "node".* for \/type but received nothing/],
  [null, /for \/type/],
  [[], /for \/type/],
  [{ type: 'nodes', data: {} }, /received "nodes"/],
  [{ type: 'node' }, /for \/data but received nothing/],
  [{ type: 'node', data: 'x' }, /Expected an object for \/data/],
  [{ type: { toString: 1 }, data: 'x' }, /for \/type/],
])('a registration that is none is refused by its field %#', async (json, words) => {
  const registry = await start();
  const { status, body } = await registry.post('resource', json);
  expect([status, body]).toEqual([400, expect.objectContaining({ error: expect.stringMatching(words) })]);
});

test('characters outside of ASCII are kept', async () => {
  const registry = await start();
  const node = { ...nmosNode(1).node, label: '😁 \u0000 ﬀ "x"', tags: { __proto__x: ['ü'] } };
  expect((await registry.register('node', node)).status).toBe(201);
  expect((await registry.query(`nodes/${node.id}`)).body).toEqual(node);
});

test('an update that changes nothing is answered with 200', async () => {
  const registry = await start();
  const { sender } = await registry.registerNode(1);
  expect((await registry.register('sender', sender)).status).toBe(200);
});

test('what is not there is named by the words of the field', async () => {
  const registry = await TestRegistry.start();
  const { body } = await registry.delete(`devices/${nmosId(1, 9)}`);
  expect(body).toMatchObject({ error: `There is no device ${nmosId(1, 9)} in the registry` });
  const other = await registry.delete('things/x');
  expect(other.body).toMatchObject({ error: 'There are no things in a registry' });
});

test('an unknown version, collection or method is refused', async () => {
  const { origin } = await start();
  expect((await ask(`${origin}/x-nmos/registration/v1.0/resource`)).status).toBe(404);
  expect((await ask(`${origin}/x-nmos/registration/v1.3/resource/things/x`)).status).toBe(404);
  expect((await ask(`${origin}/x-nmos/registration/v1.3/resource`)).status).toBe(405);
});

test('a full registry refuses more with 503, and takes updates', async () => {
  const registry = await TestRegistry.start({ storeLimits: { resources: 1, characters: 10_000 } });
  const { node } = nmosNode(1);
  expect((await registry.register('node', node)).status).toBe(201);
  expect((await registry.register('node', nmosNode(2).node)).status).toBe(503);
  expect((await registry.register('node', changed(node, 1))).status).toBe(200);
  const large = changed(node, 2, { description: 'x'.repeat(10_000) });
  expect((await registry.register('node', large)).status).toBe(503);
});

test('time in which the registry could not run expires no node', async () => {
  const registry = await start();
  await registry.registerNode(1);
  await registry.pass(11_900);
  registry.registry.store.excuse(5000);
  await registry.pass(1000);
  expect(await registry.ids('nodes')).toHaveLength(1);
  await registry.pass(5000);
  expect(await registry.ids('nodes')).toHaveLength(0);
});
