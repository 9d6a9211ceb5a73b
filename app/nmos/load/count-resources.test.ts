import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { countResources, type OwnedResources } from './count-resources';
import { heldBy } from './held-by';
import { loadTag } from './simulated-node';

const clock = new SimulatedClock();

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<{ query: string; version: 'v1.3' }> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { query: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, version: 'v1.3' };
}

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const owned: OwnedResources = { run: 'run', ids: new Map([['node', new Set([idOf(1), idOf(2)])]]) };
const tags = { [loadTag]: ['run'] };

/** A page of the nodes, and none of the others. */
const nodes =
  (...resources: object[]): RequestListener =>
  ({ url = '' }, response) =>
    response.end(JSON.stringify(url.includes('/nodes') ? resources : []));

test('ours are the ids that the nodes of the load have; others with its tag count apart', async () => {
  const api = await serve(
    nodes({ id: idOf(1), tags }, { id: idOf(1), tags }, { id: idOf(3), tags }, { id: idOf(4), tags: null }),
  );
  expect(await countResources(api, owned, clock)).toEqual({ ours: 1, leftOver: 1, others: 1 });
});

test('what several registries hold counts once, and where one gives no answer it is not known', async () => {
  const [one, other] = [nodes({ id: idOf(1), tags }), nodes({ id: idOf(2), tags })];
  const held = async (...listeners: RequestListener[]) => {
    const apis = await Promise.all(listeners.map(serve));
    const queries = apis.map(({ query }) => query);
    return heldBy(queries, owned, 2, clock);
  };
  expect(await held(one, one)).toEqual({ there: 1, expected: 12, why: '' });
  expect(await held(one, other)).toEqual({ there: 2, expected: 12, why: '' });
  const broken: RequestListener = (_, response) => response.writeHead(404).end();
  expect(await held(one, broken)).toEqual({ there: null, expected: 12, why: expect.stringContaining('404') });
});

test('an id of a node on a page of another type is none of ours', async () => {
  const api = await serve(({ url = '' }, response) =>
    response.end(JSON.stringify(url.includes('/flows') ? [{ id: idOf(1), tags }] : [])),
  );
  expect(await countResources(api, owned, clock)).toEqual({ ours: 0, leftOver: 1, others: 0 });
});

test.each<[string, object[], RegExp]>([
  ['no text', [{ id: { toString: 1 } }], /sent a node whose id is not a UUID/],
  ['a long text', [{ id: 'x'.repeat(1000) }], /sent a node whose id is not a UUID/],
  ['none', [{}], /sent a node whose id is not a UUID/],
])('an id that is %s is a reason in words', async (_, page, words) => {
  await expect(countResources(await serve(nodes(...page)), owned, clock)).rejects.toThrow(words);
});

/** Pages of which each names another one. */
const linked =
  (next: (number: number) => number): RequestListener =>
  ({ url = '' }, response) => {
    const number = Number(new URL(url, 'http://127.0.0.1').searchParams.get('n') ?? 0);
    response.setHeader('Link', `<?n=${next(number)}>; rel="next"`);
    response.end(JSON.stringify([{ id: idOf(number) }]));
  };

test('pages in a circle, and pages without an end, end with a reason', async () => {
  const circle = await serve(linked((number) => (number + 1) % 3));
  await expect(countResources(circle, owned, clock)).rejects.toThrow(/a link to an earlier page/);
  const itself = await serve(linked((number) => number));
  await expect(countResources(itself, owned, clock)).rejects.toThrow(/a link to an earlier page/);
  const endless = await serve(linked((number) => number + 1));
  const limits = { seconds: 60, bytes: 10_000 };
  await expect(countResources(endless, owned, clock, limits)).rejects.toThrow(/more than 0.01 MB/);
  await expect(countResources(endless, owned, clock, { ...limits, seconds: 0 })).rejects.toThrow(
    /did not send all pages within 0 s/,
  );
});

test('a Query API that never answers ends with the time that it has', async () => {
  // The limit of the request is real, and the clock says whose time is over.
  const silent = await serve(() => void clock.pass(100));
  await expect(countResources(silent, owned, clock, { seconds: 0.05, bytes: 1000 })).rejects.toThrow(
    /did not send all pages within 0.05 s/,
  );
});
