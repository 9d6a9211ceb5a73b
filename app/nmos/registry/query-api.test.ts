import { beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../../testing/http-client';
import { TestRegistry } from '../../testing/nmos-registry';
import { changed, nmosId, nmosNode, nmosTypes } from '../../testing/nmos-resources';
import { validate } from '../schemas/schemas';

let registry: TestRegistry;

beforeEach(async () => {
  registry = await TestRegistry.start();
});

describe.each(['v1.2', 'v1.3'] as const)('Query API %s', (version) => {
  test('IS-04 Query: the base resource lists the collections', async () => {
    const { body } = await registry.query('', version);
    expect(validate('is-04', version, 'queryapi-base', body)).toBeNull();
  });

  test.each(nmosTypes)('IS-04 Query: %ss and each of them are given as registered', async (type) => {
    const resources = await registry.registerNode(1, version);
    const list = await registry.query(`${type}s/`, version);
    expect(list.body).toEqual([resources[type]]);
    expect(validate('is-04', version, `${type}s`, list.body)).toBeNull();
    expect((await registry.query(`${type}s/${resources[type].id}/`, version)).body).toEqual(resources[type]);
  });

  test('IS-04 Query: an unknown id, also one of another type, is answered with 404', async () => {
    const { node } = await registry.registerNode(1, version);
    for (const path of [`nodes/${nmosId(0, 9)}`, `devices/${node.id}`, 'nodes/x']) {
      const { status, body } = await registry.query(path, version);
      expect([status, validate('is-04', version, 'error', body)]).toEqual([404, null]);
    }
  });
});

describe('IS-04 Query Parameters, Downgrade Queries', () => {
  const later = {
    node: { services: [{ href: 'http://192.0.2.7/', type: 'urn:x-own:service:one', authorization: true }] },
    source: { format: 'urn:x-nmos:format:data', event_type: 'boolean' },
  };

  test('a resource of an earlier version is left out of a list, and 409 with its Location by id', async () => {
    const { node } = await registry.registerNode(1, 'v1.2');
    expect(await registry.ids('nodes')).toEqual([]);
    const { status, headers } = await registry.query(`nodes/${node.id}`);
    expect([status, headers.location]).toEqual([409, `/x-nmos/query/v1.2/nodes/${node.id}`]);
  });

  test('query.downgrade takes resources of earlier versions as they are', async () => {
    const { node } = await registry.registerNode(1, 'v1.2');
    const { sender } = await registry.registerNode(2, 'v1.3');
    expect(await registry.ids('nodes?query.downgrade=v1.2')).toEqual([nmosId(0, 2), node.id]);
    expect(await registry.ids('nodes?query.downgrade=v1.0')).toHaveLength(2);
    expect(await registry.ids('nodes?query.downgrade=v1.3')).toHaveLength(1);
    expect(await registry.ids('nodes?query.downgrade=v1.9')).toHaveLength(1);
    expect((await registry.query(`nodes/${node.id}?query.downgrade=v1.2`)).body).toEqual(node);
    expect(await registry.ids(`senders?query.downgrade=v1.2&id=${sender.id}`)).toEqual([sender.id]);
  });

  test('a resource of a later version is given without what that version added (Version Translations)', async () => {
    const { node, device, source } = nmosNode(1);
    await registry.register('node', { ...node, ...later.node });
    await registry.register('device', device);
    await registry.register('source', { ...source, ...later.source });
    const shown = (await registry.query(`nodes/${node.id}`, 'v1.2')).body;
    expect(shown).toMatchObject({ services: [{ href: 'http://192.0.2.7/' }] });
    expect(JSON.stringify(shown)).not.toContain('authorization');
    const [shownSource] = (await registry.query('sources', 'v1.2')).body as [object];
    expect(shownSource).not.toHaveProperty('event_type');
    expect(await registry.ids('sources?event_type=boolean', 'v1.2')).toEqual([]);
    expect(await registry.ids('sources?event_type=boolean')).toEqual([source.id]);
  });

  test('another major version is refused with 400, and what is no version too', async () => {
    for (const value of ['v2.0', 'v0.9', '1.2', 'v1', ''])
      expect((await registry.query(`nodes?query.downgrade=${value}`)).status).toBe(400);
  });
});

describe('IS-04 Query Parameters, Basic Queries', () => {
  beforeEach(async () => {
    for (const number of [1, 2]) await registry.registerNode(number);
    const { node, flow } = nmosNode(2);
    const tags = { studio: ['HQ1', 'HQ2'], 'urn:x-nmos:tag:grouphint/v1.0': ['a:b'] };
    const services = [{ href: 'http://192.0.2.7/', type: 'urn:x-own:service:one' }];
    await registry.register('node', changed(node, 1, { label: 'a b&c', tags, services }));
    await registry.register('flow', changed(flow, 1, { frame_width: 1280 }));
  });

  const second = nmosId(0, 2);

  test.each([
    ['one attribute', 'nodes?label=node%201', [nmosId(0, 1)]],
    ['an encoded value', 'nodes?label=a+b%26c', [second]],
    ['two attributes', `sources?format=urn:x-nmos:format:video&device_id=${nmosId(1, 2)}`, [nmosId(2, 2)]],
    [
      'two attributes of which one differs',
      `sources?format=urn:x-nmos:format:audio&device_id=${nmosId(1, 2)}`,
      [],
    ],
    ['within an object', `receivers?subscription.active=false&id=${nmosId(5, 1)}`, [nmosId(5, 1)]],
    ['a null', `senders?subscription.receiver_id=null&id=${nmosId(4, 1)}`, [nmosId(4, 1)]],
    ['a number', 'flows?frame_width=1280', [nmosId(3, 2)]],
    ['within a list of texts', 'nodes?tags.studio=HQ2', [second]],
    ['tags without regard to case', 'nodes?tags.studio=hq2', [second]],
    ['a key with dots and colons', 'nodes?tags.urn:x-nmos:tag:grouphint/v1.0=a:b', [second]],
    ['within a list of objects', 'nodes?services.type=urn:x-own:service:one', [second]],
    ['case of other attributes', 'nodes?label=Node%201', []],
    ['an attribute that no resource has', 'nodes?nothing=1', []],
    ['names of an object’s own', 'nodes?constructor.name=Object&__proto__=x', []],
  ])('%s', async (_, path, expected) => {
    expect(await registry.ids(path)).toEqual(expected);
  });

  test.each([
    ['tags.studio', 'nodes?tags.studio=HQ1&tags.studio=HQ2'],
    ['paging.limit', 'nodes?paging.limit=1&paging.limit=2'],
    ['paging.since', 'subscriptions?paging.since=0:0&paging.since=0:0'],
    ['query.ancestry_id', 'flows?query.ancestry_id=a&query.ancestry_type=parents&query.ancestry_id=b'],
    ['query.downgrade', `nodes/${nmosId(0, 1)}?query.downgrade=v1.2&query.downgrade=v1.3`],
  ])('%s given twice is refused with 400', async (name, path) => {
    const { status, body } = await registry.query(path);
    expect([status, body]).toEqual([400, expect.objectContaining({ error: expect.stringContaining(name) })]);
  });

  test('an unknown parameter of query or paging is refused with 501', async () => {
    for (const name of ['query.none', 'paging.none']) {
      const { status, body } = await registry.query(`nodes?${name}=1`);
      expect([status, body]).toEqual([
        501,
        expect.objectContaining({ error: expect.stringContaining(name) }),
      ]);
    }
  });
});

describe('IS-04 Query Parameters, RQL', () => {
  beforeEach(async () => {
    for (const number of [1, 2, 3]) await registry.registerNode(number);
    const { flow, node } = nmosNode(3);
    await registry.register('flow', changed(flow, 1, { frame_width: 3840 }));
    await registry.register('node', changed(node, 1, { tags: { location: ['Salford'] }, label: 'a(b),%' }));
  });

  test.each([
    ['eq(transport,urn%3Ax-nmos%3Atransport%3Artp.mcast)', 'senders', [3, 2, 1]],
    ['eq(frame_width,3840)', 'flows', [3]],
    ['ne(frame_width,3840)', 'flows', [2, 1]],
    ['gt(frame_width,1920)', 'flows', [3]],
    ['ge(frame_width,1920)', 'flows', [3, 2, 1]],
    ['lt(frame_width,1920)', 'flows', []],
    ['le(frame_width,1920)', 'flows', [2, 1]],
    ['eq(frame_width,string:3840)', 'flows', []],
    ['eq(frame_width,number:3840)', 'flows', [3]],
    ['in(tags.location,(salford,London))', 'nodes', [3]],
    ['out(tags.location,(Salford,London))', 'nodes', [2, 1]],
    ['and(eq(frame_height,1080),or(eq(label,flow%202),eq(label,flow%203)))', 'flows', [3, 2]],
    ['not(in(label,(flow%201,flow%202)))', 'flows', [3]],
    ['eq(label,a%2528b%2529%252C%2525)', 'nodes', [3]],
    ['gt(label,)', 'flows', [3, 2, 1]],
    ['gt(frame_width,)', 'flows', []],
    ['eq(subscription.active,false)', 'senders', [3, 2, 1]],
  ])('%s', async (rql, path, numbers) => {
    const kind = ['nodes', 'devices', 'sources', 'flows', 'senders', 'receivers'].indexOf(path);
    const order = 'paging.order=create&';
    expect(await registry.ids(`${path}?${order}query.rql=${rql}`)).toEqual(
      numbers.map((one) => nmosId(kind, one)),
    );
  });

  test.each([
    [501, 'sort(%2Blabel)'],
    [501, 'select(id)'],
    [501, 'constructor()'],
    [400, 'label'],
    [400, ''],
    [400, 'eq(label)'],
    [400, 'eq(label,x'],
    [400, 'eq(label,x))'],
    [400, 'eq((label),x)'],
    [400, 'and(x)'],
    [400, `${'not('.repeat(30)}eq(label,x)${')'.repeat(30)}`],
    [400, `and(${Array.from({ length: 200 }, () => 'eq(a,b)').join(',')})`],
    [400, `eq(label,${'x'.repeat(5000)})`],
  ])('%i: %s', async (status, rql) => {
    expect((await registry.query(`nodes?query.rql=${rql}`)).status).toBe(status);
  });
});

describe('IS-04 Query Parameters, Ancestry Queries', () => {
  beforeEach(async () => {
    await registry.registerNode(1);
    const { source } = nmosNode(1);
    for (const number of [2, 3, 4])
      await registry.register('source', {
        ...source,
        id: nmosId(2, number),
        parents: [nmosId(2, number - 1)],
      });
  });

  test.each([
    ['children', 1, '', [4, 3, 2]],
    ['children', 1, '&query.ancestry_generations=2', [3, 2]],
    ['children', 4, '', []],
    ['parents', 4, '', [3, 2, 1]],
    ['parents', 3, '&query.ancestry_generations=1', [2]],
    ['children', 9, '', []],
  ])('%s of %i%s', async (direction, number, rest, expected) => {
    const id = nmosId(2, number);
    const answer = await registry.query(
      `sources?query.ancestry_id=${id}&query.ancestry_type=${direction}${rest}`,
    );
    expect((answer.body as { id: string }[]).map((one) => one.id)).toEqual(
      expected.map((one) => nmosId(2, one)),
    );
    expect(answer.headers['x-ancestry-generations']).toMatch(/^(1|2|10)$/);
  });

  test('a circle of parents ends', async () => {
    const { source } = nmosNode(1);
    await registry.register('source', changed(source, 1, { parents: [nmosId(2, 4)] }));
    const path = `sources?query.ancestry_type=parents&query.ancestry_generations=100&query.ancestry_id=`;
    expect(await registry.ids(path + nmosId(2, 4))).toHaveLength(3);
  });

  test('many ways to the same ancestors cost no more than one', async () => {
    const { source } = nmosNode(1);
    const [layers, each] = [12, 8];
    const idOf = (layer: number, index: number) => nmosId(8, 100 * layer + index);
    for (let layer = 0; layer < layers; layer++)
      for (let index = 0; index < each; index++) {
        const parents = layer === 0 ? [] : Array.from({ length: each }, (_, one) => idOf(layer - 1, one));
        await registry.register('source', { ...source, id: idOf(layer, index), parents });
      }
    const path = `sources?query.ancestry_type=parents&query.ancestry_generations=100&query.ancestry_id=`;
    expect(await registry.ids(path + idOf(layers - 1, 0))).toHaveLength((layers - 1) * each);
  });

  test.each([
    [400, 'sources', 'query.ancestry_id=x'],
    [400, 'sources', 'query.ancestry_type=children'],
    [400, 'sources', 'query.ancestry_id=x&query.ancestry_type=children&query.ancestry_generations=1000000'],
    [501, 'nodes', 'query.ancestry_id=x&query.ancestry_type=children'],
  ])('%i: %s?%s', async (status, path, query) => {
    expect((await registry.query(`${path}?${query}`)).status).toBe(status);
  });
});

test.each([
  `nodes?${'a.'.repeat(7500)}a=1`,
  `nodes?query.rql=in(${'a.'.repeat(20)}a,(1,2))`,
  `nodes?${'a'.repeat(201)}=1`,
])('a path that no resource has is refused before it is looked for: %#', async (path) => {
  const registry = await TestRegistry.start();
  await registry.registerNode(1);
  expect((await registry.query(path)).status).toBe(400);
});

test('a page of 2,500 resources is given whole where it is asked for', async () => {
  const { node } = nmosNode(1);
  for (let number = 0; number < 2500; number++) {
    const data = { ...node, id: nmosId(0, number) };
    registry.registry.store.put({
      ...{ type: 'node', id: data.id, version: node.version, parent: null, isOwn: true },
      body: { json: JSON.stringify(data), apiVersion: 'v1.3' },
    });
  }
  expect(await registry.ids('nodes')).toHaveLength(1000);
  expect(await registry.ids('nodes?paging.limit=2500')).toHaveLength(2500);
});

test('hosts of links are those that the client asked for, where they are hosts', async () => {
  const linkOf = async (Host: string): Promise<unknown> =>
    (await ask(`${registry.origin}/x-nmos/query/v1.3/nodes`, { headers: { Host } })).headers.link;
  expect(await linkOf('nmos.example:80')).toContain('<http://nmos.example:80/x-nmos/query/v1.3/nodes?');
  expect(await linkOf('"><script>')).toContain(`<${registry.origin}/`);
});

test('a page that would have no room is given up, and one that is small enough is not', async () => {
  const small = await TestRegistry.start({ httpLimits: { waitingCharacters: 20_000 } });
  const description = 'x'.repeat(3000);
  for (let number = 0; number < 10; number++)
    await small.register('node', { ...nmosNode(number).node, description });
  const { status, body } = await small.query('nodes');
  expect([status, validate('is-04', 'v1.3', 'error', body)]).toEqual([503, null]);
  expect(await small.ids('nodes?paging.limit=4')).toHaveLength(4);
});
