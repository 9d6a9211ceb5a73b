import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { answering, type HostileAnswer } from '../../testing/nmos-hostile';
import { TestRegistry } from '../../testing/nmos-registry';
import { nmosNode } from '../../testing/nmos-resources';
import { SimulatedClock } from '../../testing/simulated-clock';
import { readPages } from './pages';
import { findQueryApi, type QueryApi } from './query-api';
import { RestClient } from './rest-client';

const clock = new SimulatedClock();

let client: RestClient;

beforeEach(() => {
  client = patientFor(10_000);
});

function patientFor(timeoutMs: number): RestClient {
  const made = new RestClient({ timeoutMs });
  onTestFinished(() => made.close());
  return made;
}

test.each(['v1.2', 'v1.3'] as const)(
  'all senders of a registry are read by pages of two, %s',
  async (version) => {
    const registry = await TestRegistry.start();
    for (const number of [1, 2, 3, 4, 5]) await registry.registerNode(number, version);
    const query = { origin: registry.origin, version };
    const { resources, pages, bytes, leftOut } = await readPages({
      client,
      clock,
      query,
      type: 'sender',
      pageSize: 2,
    });
    expect(resources.map(({ id }) => id)).toEqual(
      [1, 2, 3, 4, 5].map((number) => nmosNode(number).sender.id),
    );
    expect(resources[0]).toMatchObject({
      deviceId: nmosNode(1).device.id,
      isActive: false,
      receiverId: null,
    });
    expect({ pages, leftOut }).toEqual({ pages: 3, leftOut: { count: 0, first: null } });
    expect(bytes).toBeGreaterThan(1000);
    const params = { id: nmosNode(2).device.id };
    const filtered = await readPages({ client, clock, query, type: 'device', params });
    expect(filtered.resources).toMatchObject([{ id: params.id, nodeId: nmosNode(2).node.id }]);
  },
);

test('the newest version that both speak is used', async () => {
  const registry = await TestRegistry.start();
  expect(await findQueryApi(client, registry.origin)).toEqual({ origin: registry.origin, version: 'v1.3' });
  const older = await answering(() => ({ body: ['v1.0/', 'v1.2/', 'v2.0/'] }));
  expect(await findQueryApi(client, older)).toEqual({ origin: older, version: 'v1.2' });
});

test.each<[string, HostileAnswer | null, string]>([
  [
    'objects for versions',
    { body: [{ toString: 1, valueOf: 1 }] },
    'serves no version, but Whiteline needs v1.3',
  ],
  ['another version', { body: ['v1.0/', 'v2.0/'] }, 'serves v1.0, v2.0, but Whiteline needs v1.3 or v1.2'],
  [
    'no API',
    { status: 404, body: { code: 404, error: 'There is nothing' } },
    'received 404: There is nothing',
  ],
  ['a page for people', { body: '<html>' }, 'but received <html>'],
  ['silence', null, 'does not answer: no answer within 0.5 s'],
])('a registry with %s is named', async (_, answer, sentence) => {
  const origin = await answering(() => answer);
  const asking = answer === null ? patientFor(500) : client;
  const error = await findQueryApi(asking, origin).catch((problem: unknown) => problem);
  expect(error).toMatchObject({ message: expect.stringContaining(sentence), remedy: expect.any(String) });
});

test.each([
  ['ws://192.0.2.7:8010', 'Expected a URL that begins with http:// or https://'],
  ['192.0.2.7:8010', 'Expected a URL for registry'],
  ['nothing', 'Expected a URL for registry'],
  ['http://192.0.2.7/x-nmos', 'Expected a URL without a path'],
  ['http://me:secret@192.0.2.7', 'Expected a URL without a name and a password'],
])('%s is no registry', async (url, sentence) => {
  await expect(findQueryApi(client, url)).rejects.toThrow(sentence);
});

const sender = nmosNode(1).sender;

async function hostile(
  answer: (url: URL, origin: string) => HostileAnswer,
): Promise<{ query: QueryApi; read: Promise<unknown> }> {
  const origin = await answering((request, own) => answer(new URL(request.url ?? '', own), own));
  const query: QueryApi = { origin, version: 'v1.3' };
  const options = { client, clock, query, type: 'sender', mostResources: 10, withinMs: 10_000 } as const;
  return { query, read: readPages(options).catch((error: Error) => error) };
}

const numbered = (number: number) => ({ ...sender, id: nmosNode(number).sender.id });
const link = (target: string): Record<string, string> => ({ Link: `<${target}>; rel="next"` });

test.each<[string, (url: URL, origin: string) => HostileAnswer, string]>([
  ['that goes round', (url) => ({ body: [sender], headers: link(url.href) }), 'a link to an earlier page'],
  [
    'to the same under other names',
    (url, own) => ({
      body: [sender],
      headers: link(`${own}${url.pathname}?x=${Number(url.searchParams.get('x')) + 1}`),
    }),
    'a link to an earlier page',
  ],
  ['that is none', () => ({ body: [sender], headers: link('http://[') }), 'but received http://['],
])('a link %s is refused', async (_, answer, sentence) => {
  const { read } = await hostile(answer);
  expect(await read).toMatchObject({ message: expect.stringContaining(sentence), field: 'answer' });
});

test.each<[string, (url: URL, origin: string) => HostileAnswer, string]>([
  ['no JSON', () => ({ body: '[{"id"' }), 'Expected a page of senders from'],
  ['an object', () => ({ body: {} }), 'but received {}'],
  ['an error', () => ({ status: 503, body: { code: 503, error: 'busy' } }), 'but received 503: busy'],
  [
    'more than may be',
    () => ({ body: Array.from({ length: 11 }, (__, index) => numbered(index + 1)) }),
    'Expected at most 10 resources',
  ],
  [
    'page after page of what is none',
    (url, own) => {
      const page = Number(url.searchParams.get('x')) + 1;
      return { body: [{}], headers: link(`${own}${url.pathname}?x=${page}`) };
    },
    'Expected at most 10 resources',
  ],
])('a registry that answers %s is refused', async (_, answer, sentence) => {
  const { read } = await hostile(answer);
  expect(await read).toMatchObject({ message: expect.stringContaining(sentence), field: 'answer' });
});

test('what cannot be used is left out, and named', async () => {
  const { read } = await hostile(() => ({
    body: [null, { ...sender, id: '7' }, { ...sender, label: '\u202e' }],
  }));
  expect(await read).toMatchObject({
    resources: [{ id: sender.id, label: '\u202e' }],
    leftOut: { count: 2, first: expect.stringContaining('id is not a UUID') },
  });
});

test('a registry without pages is read whole', async () => {
  const { read } = await hostile((url) =>
    url.search === '' ? { body: [sender, numbered(2)] } : { status: 501, body: { code: 501 } },
  );
  expect(await read).toMatchObject({ resources: [{ id: numbered(2).id }, { id: sender.id }], pages: 1 });
});

test('links with another scheme, host or path, as behind a proxy, are followed at the registry that is read', async () => {
  const { read } = await hostile((url) => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const body = page < 3 && url.pathname.endsWith('/senders') ? [numbered(page)] : [];
    return { body, headers: link(`https://192.0.2.9/elsewhere?page=${page + 1}`) };
  });
  expect(await read).toMatchObject({ resources: [{ id: numbered(1).id }, { id: numbered(2).id }] });
});

test('a registry that says no limit is asked until nothing comes', async () => {
  const { read } = await hostile((url, own) => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const body = page < 3 ? [numbered(page)] : [];
    return { body, headers: link(`${own}${url.pathname}?page=${page + 1}`) };
  });
  expect(await read).toMatchObject({ resources: [{ id: numbered(1).id }, { id: numbered(2).id }], pages: 3 });
});
