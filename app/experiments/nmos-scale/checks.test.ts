import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { TestRegistry } from '../../testing/nmos-registry';
import { checkScale, findRegistry, refuseLoopback } from './checks';
import { nmosScaleParameters } from './declaration';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const offering = (...versions: string[]): Promise<string> =>
  serve((_, response) => response.end(JSON.stringify(versions)));

test('a registry of ours is found by its URL, in its latest version', async () => {
  const { origin } = await TestRegistry.start();
  expect(await findRegistry(`${origin}/`)).toEqual({ origin, query: origin, version: 'v1.3' });
});

test('a Query API may be elsewhere, and an older version is used where there is no later one', async () => {
  const [registration, query] = [await offering('v1.0/', 'v1.2/'), await offering('v1.2/')];
  expect(await findRegistry(registration, query)).toEqual({ origin: registration, query, version: 'v1.2' });
});

test('what is no registry that can be used is refused with its field and a remedy', async () => {
  const old = await offering('v1.0/', 'v1.1/');
  const newer = await offering('v1.3/');
  const other = await serve((_, response) => response.writeHead(404).end('not here'));
  const strange = await serve((_, response) => response.end('<html>'));
  const refused = async (registry: string, query?: string): Promise<string> => {
    const error: { message: string; remedy: string; field: string } = await findRegistry(
      registry,
      query,
    ).then(
      () => expect.fail('it was found'),
      (problem) => problem,
    );
    expect(error.remedy).toBeTruthy();
    return `${error.field}: ${error.message}`;
  };
  expect(await refused('http://127.0.0.1:1')).toMatch(
    /^registry: .+ does not answer: connection refused, nothing listens on that port$/,
  );
  expect(await refused(old)).toMatch(
    /serves v1\.0, v1\.1 of the Registration API, but the run needs v1\.2 or v1\.3$/,
  );
  expect(await refused(newer, old)).toMatch(
    /^query: .+ serves v1\.0, v1\.1 of the Query API, but the run needs v1\.3$/,
  );
  const objects = await serve((_, response) => response.end('[{"toString":1,"valueOf":1}]'));
  expect(await refused(objects)).toMatch(/serves no version of the Registration API/);
  expect(await refused(other)).toMatch(/answers 404 to .+: this is not a Registration API$/);
  expect(await refused(strange)).toMatch(/answers 200 to .+: this is not a Registration API$/);
  expect(await refused('https://127.0.0.1:8010')).toMatch(/because simulated nodes do not support HTTPS/);
  expect(await refused('registry:8010')).toMatch(/begins with http:\/\//);
  expect(await refused('http://127.0.0.1/x-nmos')).toMatch(/a URL without a path/);
});

test.each<[Record<string, unknown>, RegExp]>([
  [
    { expirySeconds: 5 },
    /more than 5 s, the time between two heartbeats, for expirySeconds but received 5 s/,
  ],
  [{ nodes: 1, crosspoints: 1 }, /at least 2 with crosspoints/],
  [{ kill: true }, /2 with kill, which ends one of them, for registryCount but received 1/],
  [{ connections: 'pool', startMode: 'ramp' }, /burst with a pool/],
  [{ query: 'http://192.0.2.7' }, /no Query API without a registry/],
  [{ registry: 'http://192.0.2.7', registryCount: 2 }, /1 with an external registry/],
  [
    { registry: 'http://192.0.2.7', inNamespaces: true },
    /off with an external registry, which runs outside of them, for inNamespaces but received on/,
  ],
  [
    { registry: 'http://192.0.2.7', kill: true },
    /off with an external registry, .+ for kill but received on/,
  ],
  [{ on: 'a,b', inNamespaces: true }, /off with nodes on other machines, .+ for inNamespaces/],
  [{ on: 'a,b', crosspoints: 5 }, /0 with nodes on other machines, .+ for crosspoints but received 5/],
  [{ on: 'a,b,c', nodes: 2 }, /at least 3, one for each machine, for nodes but received 2/],
  [{ on: 'a,b', connections: 'pool', poolSize: 1 }, /at least 2, one for each machine, for poolSize/],
  [{ nodes: 901 }, /at most 900 with a connection each, since 1000 files may be open here, for nodes/],
])('%j is refused', (given, words) => {
  expect(() => checkScale(nmosScaleParameters.parse(given), 1000)).toThrow(words);
});

test('a registry at an address that is each machine itself is refused where nodes run on others', async () => {
  const on = (names: string) => nmosScaleParameters.parse({ on: names });
  for (const origin of [
    'http://127.0.0.1:8010',
    'http://localhost:8010',
    'http://[::1]:8010',
    'http://0.0.0.0',
  ])
    await expect(refuseLoopback(origin, on('a,this machine'))).rejects.toThrow(
      /an address that other machines reach for registry but received .+, which is each machine itself/,
    );
  await expect(refuseLoopback('http://192.0.2.7:8010', on('a'))).resolves.toBeUndefined();
  await expect(refuseLoopback('http://127.0.0.1:8010', on('this machine'))).resolves.toBeUndefined();
});

test('as many nodes as there may be files, or any number in a pool, are taken', () => {
  expect(() => checkScale(nmosScaleParameters.parse({ nodes: 900 }), 1000)).not.toThrow();
  expect(() => checkScale(nmosScaleParameters.parse({ nodes: 901 }), null)).not.toThrow();
  expect(() =>
    checkScale(nmosScaleParameters.parse({ nodes: 5000, connections: 'pool' }), 1000),
  ).not.toThrow();
});
