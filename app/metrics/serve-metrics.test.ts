import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../testing/http-client';
import { SimulatedClock } from '../testing/simulated-clock';
import { emptyFacts } from './facts.fixture';
import { type ServedMetrics, type ServeMetricsOptions, serveMetrics } from './serve-metrics';

const clock = new SimulatedClock();
const loopback = { host: '127.0.0.1', port: 0 };

async function serve(options: Partial<ServeMetricsOptions> = {}): Promise<ServedMetrics> {
  const served = await serveMetrics({
    ...{ address: loopback, setBy: '--metrics', clock, facts: () => emptyFacts },
    onProblem: (error) => {
      throw error;
    },
    ...options,
  });
  onTestFinished(() => served.close());
  return served;
}

test('GET gives the text, HEAD its length, and each answer ends its connection', async () => {
  const { url } = await serve();
  const { status, headers, text } = await ask(url);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    ...{ connection: 'close', 'content-length': String(Buffer.byteLength(text)) },
  });
  expect(text).toContain('whiteline_build_info{version="1.0.0",node="16.0.0"} 1');
  const head = await ask(`${url}?a=b`, { method: 'HEAD' });
  expect([head.status, head.text, head.headers['content-length']]).toEqual([
    ...[200, '', headers['content-length']],
  ]);
});

test.each(['/', '/metric', '/metrics/', '/metrics/x', '//metrics', '/..%2fmetrics'])(
  'there is nothing at %s',
  async (path) => {
    const { url } = await serve();
    expect((await ask(new URL(url).origin + path)).status).toBe(404);
  },
);

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is refused', async (method) => {
  const { url } = await serve();
  const { status, headers } = await ask(url, { method });
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
});

test.each([
  ['an address', '192.0.2.7:9464', 200],
  ['an address of IPv6', '[2001:db8::7]:9464', 200],
  ['localhost', 'LOCALHOST:1', 200],
  ['this machine', hostname(), 200],
  ['a name that is pointed here', 'evil.example:9464', 421],
  ['one that begins as ours', `${hostname()}.evil.example`, 421],
  ['one that ends as an address', '127.0.0.1.evil.example', 421],
  ['rubbish', 'a:b:c', 421],
])('%s as Host: %s gives %i', async (_, host, status) => {
  const { url } = await serve();
  expect((await ask(url, { headers: { Host: host } })).status).toBe(status);
});

/** What comes back for these bytes until the connection ends. */
async function exchange(url: string, bytes: string): Promise<string> {
  const { hostname: host, port } = new URL(url);
  const socket = connect(Number(port), host);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

test('what is no request of a scraper is answered without the text, and ends', async () => {
  const { url } = await serve();
  for (const bytes of [
    'rubbish\r\n\r\n',
    'GET /metrics HTTP/1.0\r\n\r\n',
    'GET http://evil.example/metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    'CONNECT 192.0.2.1:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
    `GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(10_000)}\r\n\r\n`,
  ])
    expect(await exchange(url, bytes)).not.toContain('whiteline_');
  expect((await ask(url)).status).toBe(200);
});

test('readers that go away at any byte, or read nothing, do not keep others from the text', async () => {
  const { url } = await serve();
  const { hostname: host, port } = new URL(url);
  for (let visitor = 0; visitor < 100; visitor++) {
    const socket = connect(Number(port), host);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.slice(0, visitor));
    if (visitor % 2 === 0) socket.resetAndDestroy();
    else onTestFinished(() => void socket.destroy());
  }
  expect((await ask(url)).status).toBe(200);
});

test('however many ask, the text is made at most once a second', async () => {
  let made = 0;
  const { url } = await serve({
    facts: () => {
      made += 1;
      return emptyFacts;
    },
  });
  await Promise.all(Array.from({ length: 20 }, () => ask(url)));
  expect(made).toBe(1);
  await clock.pass(1000);
  await ask(url);
  expect(made).toBe(2);
});

test('a fault of ours is answered with 500 and reported, and the next question is answered', async () => {
  const problems: unknown[] = [];
  let isBroken = true;
  const { url } = await serve({
    facts: () => {
      if (isBroken) throw new Error('broken');
      return emptyFacts;
    },
    onProblem: (error) => problems.push(error),
  });
  const { status, text } = await ask(url);
  expect([status, text, problems]).toEqual([500, 'The metrics could not be read\n', [new Error('broken')]]);
  isBroken = false;
  await clock.pass(1000);
  expect((await ask(url)).status).toBe(200);
});

test('a port that is taken is named with the flag and what to do', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(serve({ address: { host: '127.0.0.1', port } })).rejects.toMatchObject({
    ...{ code: 'NAME_IN_USE', field: 'metrics', value: `127.0.0.1:${port}` },
    message: `--metrics: another program listens at 127.0.0.1:${port} already`,
    remedy: 'Give another port by --metrics, or end that program',
  });
});

test('an address of another machine is refused as one', async () => {
  await expect(serve({ address: { host: '192.0.2.7', port: 9464 } })).rejects.toMatchObject({
    ...{ code: 'BAD_INPUT', field: 'metrics', value: '192.0.2.7:9464' },
    message: '--metrics: 192.0.2.7 is no address of this machine',
  });
});
