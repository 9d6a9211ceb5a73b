import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WhitelineError } from '../../protocol/errors';
import { ask } from '../../testing/http-client';
import { SimulatedClock } from '../../testing/simulated-clock';
import { json, noContent, Refusal } from './reply';
import { Router } from './router';
import { type HttpOptions, type HttpServer, listen, usualLimits } from './server';

const clock = new SimulatedClock();

const open: HttpServer[] = [];
const lines: string[] = [];

afterEach(async () => {
  lines.length = 0;
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(options: Partial<HttpOptions> = {}): Promise<string> {
  const router = new Router();
  router.list('/x-nmos', ['query']);
  router.on('GET', '/x-nmos/query/{id}', ({ parameters, query }) =>
    json(200, { id: parameters.id, a: query.get('a') }),
  );
  router.on('POST', '/x-nmos/query', ({ body }) => json(201, { body: body ?? null }));
  router.on('DELETE', '/x-nmos/query/{id}', () => noContent());
  router.on('GET', '/refused', () => {
    throw new Refusal(409, 'Not so', 'detail', { Location: '/there' });
  });
  router.on('GET', '/broken', () => {
    throw new TypeError('broken inside');
  });
  const log = (line: string): number => lines.push(line);
  const server = await listen({ hosts: ['127.0.0.1'], port: 0, router, clock, log, ...options });
  open.push(server);
  return server.origins[0] ?? '';
}

/** What comes back for these bytes until the server ends the connection. */
async function exchange(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

test('a path is found with and without a slash at its end (IS-04 APIs, Trailing Slashes)', async () => {
  const origin = await serve();
  for (const path of ['/x-nmos', '/x-nmos/']) expect((await ask(origin + path)).body).toEqual(['query/']);
  expect((await ask(`${origin}/x-nmos/query/7%2F8/?a=b%26c`)).body).toEqual({
    code: 404,
    debug: null,
    error: expect.any(String),
  });
  expect((await ask(`${origin}/x-nmos/query/7/?a=b%26c`)).body).toEqual({ id: '7', a: 'b&c' });
});

test('every answer has CORS headers and JSON as its type (IS-04 APIs, CORS)', async () => {
  const origin = await serve();
  for (const path of ['/x-nmos', '/nothing', '/refused', '/broken']) {
    const { headers } = await ask(origin + path);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['content-type']).toBe('application/json');
  }
});

test('OPTIONS names the methods of a path and the headers that were asked for', async () => {
  const origin = await serve();
  const { status, headers } = await ask(`${origin}/x-nmos/query/7`, {
    method: 'OPTIONS',
    headers: { 'Access-Control-Request-Headers': 'content-type,x-own' },
  });
  expect(status).toBe(200);
  expect(headers['access-control-allow-methods']).toBe('GET, DELETE, HEAD, OPTIONS');
  expect(headers['access-control-allow-headers']).toBe('content-type,x-own');
});

test('HEAD is answered like GET without the body', async () => {
  const origin = await serve();
  const response = await ask(`${origin}/x-nmos`, { method: 'HEAD' });
  expect([response.status, response.headers['content-length'], response.text]).toEqual([200, '10', '']);
});

test('errors have code, error and debug (IS-04 APIs, Error Codes & Responses)', async () => {
  const origin = await serve();
  const refused = await ask(`${origin}/refused`);
  expect(refused.headers.location).toBe('/there');
  expect(refused.body).toEqual({ code: 409, error: 'Not so', debug: 'detail' });
  expect((await ask(`${origin}/nothing`)).body).toMatchObject({ code: 404 });
  const wrong = await ask(`${origin}/x-nmos`, { method: 'DELETE' });
  expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect((await ask(`${origin}/%ff`)).body).toMatchObject({ code: 400 });
});

test('an error inside is answered with 500, without its details, which are logged', async () => {
  const origin = await serve();
  const response = await ask(`${origin}/broken`);
  expect([response.status, response.text]).toEqual([500, expect.not.stringContaining('inside')]);
  expect(lines.join('\n')).toContain('broken inside');
});

test('a refused request is logged as one line, with the client', async () => {
  const origin = await serve();
  await ask(`${origin}/refused`);
  expect(lines).toEqual(['GET /refused from 127.0.0.1: 409 {"code":409,"error":"Not so","debug":"detail"}']);
});

test('a body that is no JSON, nested too deep, or no UTF-8 is refused', async () => {
  const origin = await serve();
  const post = (body: string | Buffer) => ask(`${origin}/x-nmos/query`, { method: 'POST', body });
  expect((await post('{"a":')).status).toBe(400);
  expect((await post('['.repeat(10_000) + ']'.repeat(10_000))).status).toBe(400);
  expect((await post(Buffer.from([0x22, 0xff, 0x22]))).status).toBe(400);
  expect((await post('{"__proto__":1}')).text).toBe('{"body":{"__proto__":1}}');
  expect((await post('')).body).toEqual({ body: null });
});

test('a body over the limit is refused with 413, and the connection stays usable', async () => {
  const origin = await serve({ limits: { bodyBytes: 1000 } });
  const post = (length: number) =>
    ask(`${origin}/x-nmos/query`, { method: 'POST', body: `"${'x'.repeat(length)}"` });
  expect((await post(998)).status).toBe(201);
  expect((await post(999)).status).toBe(413);
  expect((await post(998)).status).toBe(201);
});

test('a body without end is cut', async () => {
  const origin = await serve({ limits: { bodyBytes: 1000 } });
  const head = 'POST /x-nmos/query HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  expect(await exchange(origin, head + chunk.repeat(4))).toMatch(/^HTTP\/1.1 413 |^$/);
});

test('what is no HTTP is answered with 400 and logged', async () => {
  const origin = await serve();
  const received = await exchange(origin, 'rubbish\r\n\r\n');
  expect(received).toMatch(/^HTTP\/1.1 400 Bad Request\r\n.*"code":400/s);
  expect(lines[0]).toContain('unreadable request');
});

test.each(['h2c', 'TLS/1.0', 'foo/2, bar'])('an upgrade to %s is passed over', async (protocol) => {
  const origin = await serve({ onUpgrade: () => expect.unreachable() });
  const headers = `Host: a\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n`;
  const received = await exchange(origin, `GET /x-nmos HTTP/1.1\r\n${headers}\r\n`);
  expect(received).toMatch(/^HTTP\/1.1 200 .*\["query\/"\]$/s);
  const post = `POST /x-nmos/query HTTP/1.1\r\n${headers}Content-Length: 7\r\n\r\n{"a":1}`;
  expect(await exchange(origin, post)).toMatch(/^HTTP\/1.1 201 .*\{"body":\{"a":1\}\}$/s);
});

test.each([
  ['without Host', 400, 'GET /x-nmos HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['with another Expect', 417, 'GET /x-nmos HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: x\r\n\r\n'],
  ['to CONNECT', 405, 'CONNECT 192.0.2.1:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['of OPTIONS *', 404, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ['to nothing at a proxy', 404, 'GET http://a/none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
])('a request %s is refused with %i, by the one form of refusals', async (_, status, bytes) => {
  const received = await exchange(await serve(), bytes);
  expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const body: unknown = JSON.parse(received.slice(received.indexOf('\r\n\r\n')));
  expect(body).toEqual({ code: status, error: expect.any(String), debug: null });
});

test('a path with scheme and host is one too (RFC 9112, 3.2.2), and HTTP/1.0 needs no Host', async () => {
  const origin = await serve();
  for (const first of ['GET http://a:80/x-nmos HTTP/1.1\r\nHost: a', 'GET /x-nmos HTTP/1.0\r\nAccept: */*'])
    expect(await exchange(origin, `${first}\r\nConnection: close\r\n\r\n`)).toMatch(/200 .*query/s);
});

test('a request that does not come to its end is ended with 408 when its time is over', async () => {
  const origin = await serve({ limits: { requestMs: 300 } });
  for (const bytes of [
    'GET /x-nmos HTTP/1.1\r\nHost',
    'POST /x-nmos/query HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
  ]) {
    const startedMs = performance.now();
    expect(await exchange(origin, bytes)).toMatch(/^HTTP\/1.1 408 .*"code":408/s);
    // Of the limit that was given, and not of the usual one.
    expect(performance.now() - startedMs).toBeLessThan(usualLimits.requestMs);
  }
});

test('a WebSocket where there is none is refused', async () => {
  const origin = await serve();
  const upgrade = 'GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  expect(await exchange(origin, upgrade)).toMatch(/^HTTP\/1.1 404 /);
});

test('a WebSocket that is refused and reset at that moment harms nothing', async () => {
  const origin = await serve();
  const { hostname, port } = new URL(origin);
  for (let turn = 0; turn < 50; turn++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write('GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(socket, 'ready');
    if (turn % 2 === 0) await new Promise(setImmediate);
    socket.resetAndDestroy();
  }
  expect((await ask(`${origin}/x-nmos`)).status).toBe(200);
});

test('an answer that HTTP cannot carry ends its connection, and no other', async () => {
  const router = new Router();
  router.list('/', []);
  router.on('GET', '/wrong', () => json(200, {}, { Location: 'a\nb' }));
  const origin = await serve({ router });
  await expect(ask(`${origin}/wrong`)).rejects.toThrow();
  expect(lines.join()).toContain('could not send the answer');
  expect((await ask(`${origin}/`)).status).toBe(200);
});

test('a client that stalls while it is answered is cut', async () => {
  const router = new Router();
  router.on('GET', '/', () => new Promise(() => undefined));
  const origin = await serve({ router, limits: { stalledMs: 50 } });
  expect(await exchange(origin, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('');
});

test('a taken port, a strange host and a name are refused with the field', async () => {
  const port = Number(new URL(await serve()).port);
  const router = new Router();
  const problem = (hosts: string[], at: number) =>
    listen({ hosts, port: at, router, clock }).then(
      () => null,
      (error: unknown) => (error instanceof WhitelineError ? [error.field, error.code] : error),
    );
  expect(await problem(['127.0.0.1'], port)).toEqual(['port', 'NAME_IN_USE']);
  expect(await problem(['192.0.2.1'], 0)).toEqual(['host', 'BAD_INPUT']);
  expect(await problem(['example.org'], 0)).toEqual(['host', 'BAD_INPUT']);
});

test('only the hosts named are listened on, all at one port', async () => {
  const origin = await serve({ hosts: ['127.0.0.1', '127.0.0.2'] });
  const { port } = new URL(origin);
  expect((await ask(`http://127.0.0.2:${port}/x-nmos`)).status).toBe(200);
  await expect(ask(`http://127.0.0.3:${port}/x-nmos`)).rejects.toThrow();
});

test('closing ends connections that are open', async () => {
  const origin = await serve();
  const { hostname, port } = new URL(origin);
  const idle = connect(Number(port), hostname).resume();
  await once(idle, 'connect');
  const waiting = httpRequest(`${origin}/x-nmos/query`, { method: 'POST' });
  const failed = new Promise<Error>((resolve) => waiting.on('error', resolve));
  waiting.write('{');
  await vi.waitFor(() => expect(open[0]?.connections()).toBe(2));
  await Promise.all(open.splice(0).map((server) => server.close()));
  await vi.waitFor(() => expect(idle.destroyed).toBe(true));
  expect(await failed).toMatchObject({ code: 'ECONNRESET' });
});

test('a flood of refusals leaves a bounded log', async () => {
  const origin = await serve();
  await Promise.all(Array.from({ length: 200 }, () => ask(`${origin}/nothing`)));
  expect(lines).toHaveLength(20);
  await clock.pass(1000);
  await ask(`${origin}/nothing`);
  expect(lines.slice(20)).toEqual(['180 more lines were left out', expect.stringContaining('GET /nothing')]);
});

test('clients that reset the connection of a refused upgrade end nothing', async () => {
  const origin = await serve();
  const { hostname, port } = new URL(origin);
  const head = 'GET /nope HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  for (let client = 0; client < 300; client++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(head);
    if (client % 2 === 0) socket.resetAndDestroy();
    else setImmediate(() => socket.resetAndDestroy());
  }
  expect((await ask(`${origin}/x-nmos`)).status).toBe(200);
});

/** A connection that takes no answer to its requests. */
function idleClient(origin: string, path: string, requests = 1): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(requests));
  return socket;
}

test.each([
  ['two connections', 2, 1],
  ['one connection', 1, 2],
])(
  'answers not taken at %s are bounded, and there is room again when they are gone',
  async (_, clients, requests) => {
    const router = new Router();
    const large = json(200, 'x'.repeat(20_000_000));
    router.on('GET', '/large', () => large);
    router.on('GET', '/all', ({ reserve }) => {
      reserve(50_000_000);
      return json(200, null);
    });
    const origin = await serve({ router, limits: { waitingCharacters: 50_000_000 } });
    const idle = Array.from({ length: clients }, () => idleClient(origin, '/large', requests));
    await vi.waitFor(async () => expect((await ask(`${origin}/large`)).status).toBe(503));
    for (const socket of idle) socket.destroy();
    await vi.waitFor(async () => expect((await ask(`${origin}/all`)).status).toBe(200));
  },
);

test('an answer is given up where there is no room to make it, and takes none afterwards', async () => {
  const router = new Router();
  let made = 0;
  router.on('GET', '/large/{millions}', ({ parameters, reserve }) => {
    for (let million = 0; million < Number(parameters.millions); million++) {
      reserve(1_000_000);
      made++;
    }
    return json(200, made);
  });
  const origin = await serve({ router, limits: { waitingCharacters: 5_000_000 } });
  for (let round = 0; round < 3; round++) {
    made = 0;
    const { status, body } = await ask(`${origin}/large/9`);
    expect([status, made]).toEqual([503, 5]);
    expect(body).toMatchObject({ code: 503, error: expect.stringContaining('too many unread answers') });
    expect((await ask(`${origin}/large/5`)).body).toBe(10);
  }
});

test('more than one Host header is refused, also of a request for a WebSocket (RFC 9112, 3.2)', async () => {
  const origin = await serve();
  for (const more of ['', 'Connection: Upgrade\r\nUpgrade: websocket\r\n']) {
    const head = `GET /x-nmos HTTP/1.1\r\nHost: a\r\nhost: a\r\n${more || 'Connection: close\r\n'}\r\n`;
    expect(await exchange(origin, head)).toMatch(
      /^HTTP\/1\.1 400 .*\{"code":400,"error":"Expected one Host header but received 2","debug":null\}$/s,
    );
  }
});
