import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { answering } from '../../testing/nmos-hostile';
import { nmosNode } from '../../testing/nmos-resources';
import { selfSigned } from '../../testing/self-signed';
import { SimulatedClock } from '../../testing/simulated-clock';
import { eventually } from '../../testing/time-passes';
import type { MirrorState } from './collection-mirror';
import { ResourceMirror } from './mirror';
import { findQueryApi } from './query-api';
import { RestClient } from './rest-client';

let client: RestClient;
let clock: SimulatedClock;

beforeEach(() => {
  client = new RestClient({ timeoutMs: 10_000 });
  clock = new SimulatedClock();
  onTestFinished(() => client.close());
});

interface Script {
  /** Of the answer to who asks for a subscription. */
  status?: number;
  /** Host and port where the WebSocket is are put in their places. */
  href?: string;
  /** Resources on its one page. */
  page?: unknown[];
  connected?: (socket: WebSocket) => void;
}

/** A registry of one collection that says what it is made to, and a mirror of it. */
async function mirrorOf({ status = 201, href = 'ws://HOST/x', page = [], connected = () => {} }: Script) {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
  sockets.on('connection', connected);
  await once(sockets, 'listening');
  const { port } = sockets.address() as AddressInfo;
  const ws_href = href.replace('HOST', `127.0.0.1:${port}`).replace('PORT', String(port));
  const origin = await answering(({ method }) =>
    method === 'POST' ? { status, body: { id: nmosNode(1).node.id, ws_href } } : { body: page },
  );
  const states: MirrorState[] = [];
  const mirror = new ResourceMirror({
    ...{ client, clock, query: { origin, version: 'v1.3' }, types: ['sender'] },
    ...{ mostResources: 10, maxUpdateRateMs: 0, firstBackOffMs: 10_000 },
    onState: (state) => states.push(state),
  });
  onTestFinished(() => mirror.close());
  return { mirror, states, sockets };
}

const sender = (number: number) => nmosNode(number).sender;
const message = (data: unknown[], topic = '/senders/'): string =>
  JSON.stringify({ grain_type: 'event', grain: { topic, data } });
const there = (number: number) => ({ path: sender(number).id, pre: sender(number), post: sender(number) });

test.each<[string, Script, string]>([
  ['a ws_href of another protocol', { href: 'https://HOST/x' }, 'Expected a ws_href that begins with ws://'],
  ['a ws_href that is none', { href: '::' }, 'Expected a ws_href that begins with ws:// from'],
  [
    'a ws_href where nothing is',
    { href: 'ws://127.0.0.1:1/x' },
    'connection refused, nothing listens on that port',
  ],
  ['no JSON', { connected: (socket) => socket.send('{') }, 'an invalid subscription message'],
  ['bytes', { connected: (socket) => socket.send(Buffer.from([1, 2])) }, 'it sent a binary message'],
  [
    'another topic',
    { connected: (socket) => socket.send(message([], '/nodes/')) },
    'a message with another topic than /senders/',
  ],
  [
    'more than may be',
    {
      connected: (socket) => socket.send(message(Array.from({ length: 11 }, (_, index) => there(index + 1)))),
    },
    'it has more than 10 senders',
  ],
  ['an end at once', { connected: (socket) => socket.close() }, 'the connection ended'],
  ['a refusal', { connected: (socket) => socket.terminate() }, 'the connection ended'],
])('a registry that answers with %s is lost, and is named', async (_, script, sentence) => {
  const { mirror } = await mirrorOf(script);
  await eventually(clock, () =>
    expect(mirror.now).toMatchObject({
      is: 'lost',
      reason: expect.stringContaining(sentence),
      retrySeconds: expect.any(Number),
    }),
  );
});

test('a subscription that the registry had already (200) is one', async () => {
  const { mirror } = await mirrorOf({ status: 200 });
  await eventually(clock, () => expect(mirror.now.is).toBe('complete'));
});

test('a WebSocket is asked for at the registry, whatever host it names', async () => {
  const { mirror, sockets } = await mirrorOf({ href: 'ws://192.0.2.9:PORT/x' });
  await eventually(clock, () => expect(mirror.now.is).toBe('complete'));
  expect(sockets.clients.size).toBe(1);
});

test('what cannot be used is left out and counted, and labels are any text', async () => {
  const data = [there(1), { path: '7' }, { path: sender(2).id, post: { id: sender(2).id } }, null];
  const odd = { ...sender(3), label: '<b>\u202e\ud800' };
  data.push({ path: odd.id, pre: odd, post: odd });
  const page = [sender(1), odd];
  const { mirror } = await mirrorOf({ page, connected: (socket) => socket.send(message(data)) });
  await eventually(clock, () => expect(mirror.now.is).toBe('complete'));
  expect([...mirror.all('sender').values()].map(({ label }) => label)).toEqual(['sender 1', odd.label]);
  expect(mirror.figures()).toMatchObject({
    resources: 2,
    leftOut: 3,
    leftOutFirst: 'an event of senders: path is not a UUID',
  });
});

test('what was lost on the way comes from pages, and what is gone goes', async () => {
  const data = [there(1), there(2)];
  const page = [sender(2), sender(3)];
  const { mirror } = await mirrorOf({ page, connected: (socket) => socket.send(message(data)) });
  await eventually(clock, () => expect(mirror.now.is).toBe('complete'));
  expect([...mirror.all('sender').keys()]).toEqual([sender(2).id, sender(3).id]);
});

test('a registry whose certificate is of an unknown authority is named with what to do', async () => {
  const server = createServer(selfSigned, (_, response) => response.end('[]'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(findQueryApi(client, url)).rejects.toMatchObject({
    message: `${url} does not answer: self-signed certificate`,
    remedy: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
  const plain = url.replace('https', 'http');
  await expect(findQueryApi(client, plain)).rejects.toThrow('does not answer');
});
