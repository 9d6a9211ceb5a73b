import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { attackSeed } from '../../testing/attack';
import { readNamedRun } from '../../testing/named-rows';
import { Random } from '../../testing/random';
import type { ServedPage, ServedProcess } from '../../testing/served-process';
import { interruptedAfterMs, longestEndMs, serveLiveRun } from '../../testing/served-run';
import { temporaryFolder } from '../../testing/temporary-folder';

/** A live run goes on in `whiteline serve` while strangers and broken pages come and go. */
const runsFolder = temporaryFolder();
let served: ServedProcess;
let operator: ServedPage;
let runFolder = '';

beforeAll(async () => {
  ({ served, operator, runFolder } = await serveLiveRun(runsFolder));
});

afterAll(() => served.command.signal('SIGKILL'));

/** The server is the same, answers pages, and the run in it goes on. */
async function expectUnharmed(): Promise<void> {
  await operator.ask({ name: 'checkParameters', experiment: 'stream-load', parameters: {} });
  const page = await served.open('engine');
  await page.ask({ name: 'hello' });
  expect(page.state?.mode).toBe('live');
  expect(page.state?.run?.folder).toBe(runFolder);
  page.socket.terminate();
  expect(served.command.errors).not.toMatch(/Error|whiteline:/);
}

/** Sends these bytes and breaks the connection: by a reset, or by an orderly end. */
async function breakOff(bytes: Buffer, by: 'reset' | 'end'): Promise<void> {
  const socket = await served.knock();
  socket.write(bytes);
  // The bytes are read before the reset is seen, or with it: both happen.
  if (bytes.length % 2 === 0) await new Promise(setImmediate);
  if (by === 'reset') socket.resetAndDestroy();
  else socket.end();
  if (by === 'reset') return;
  socket.resume();
  await once(socket, 'close');
}

async function breakAtEveryByte(whole: Buffer, by: 'reset' | 'end'): Promise<void> {
  const lengths = Array.from({ length: whole.length + 1 }, (_, length) => length);
  for (let from = 0; from < lengths.length; from += 20)
    await Promise.all(
      lengths.slice(from, from + 20).map((length) => breakOff(whole.subarray(0, length), by)),
    );
}

const requests: [string, () => string][] = [
  ['a request of a page', () => `GET / HTTP/1.1\r\nHost: ${served.host}\r\n\r\n`],
  ['a request with a body', () => 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123'],
  ['an upgrade of another host', () => served.upgrade('engine', { Host: 'example.org' })],
  [
    'an upgrade without the token',
    () => served.upgrade('engine', { 'Sec-WebSocket-Protocol': 'whiteline, x' }),
  ],
  ['an upgrade of an unknown path', () => served.upgrade('secret')],
  ['an upgrade that is no WebSocket', () => served.upgrade('engine', { 'Sec-WebSocket-Key': 'x' })],
  ['an upgrade with the token', () => served.upgrade('archive')],
];

test.each(requests)('%s, broken at every byte by a reset', async (_, text) => {
  await breakAtEveryByte(Buffer.from(text()), 'reset');
  await expectUnharmed();
});

test.each(requests)('%s, ended at some bytes', async (_, text) => {
  const random = new Random(attackSeed);
  const whole = Buffer.from(text());
  await Promise.all(
    Array.from({ length: 10 }, () => breakOff(whole.subarray(0, random.whole(1, whole.length)), 'end')),
  );
  await expectUnharmed();
});

test('frames of an admitted page, broken at every byte', async () => {
  const frames = [
    masked(0x81, '{"type":"request"}'),
    masked(0x82, 'bytes'),
    masked(0x89, 'ping'),
    masked(0x88, ''),
  ];
  const rubbish = [
    Buffer.from('ff00', 'hex'),
    Buffer.from('81fe', 'hex'),
    masked(0x81, '\xff').fill(0xff, 6),
  ];
  for (const frame of [...frames, ...rubbish])
    await breakAtEveryByteBehind(Buffer.from(served.upgrade('engine')), frame);
  await expectUnharmed();
});

async function breakAtEveryByteBehind(handshake: Buffer, frame: Buffer): Promise<void> {
  await Promise.all(
    Array.from({ length: frame.length + 1 }, async (_, length) => {
      const socket = await served.knock();
      socket.write(handshake);
      await once(socket, 'data');
      socket.write(frame.subarray(0, length));
      await new Promise(setImmediate);
      socket.resetAndDestroy();
    }),
  );
}

/** A frame of a client: its bytes are masked, here with zeros. */
function masked(first: number, text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

test('rubbish in the place of a request', async () => {
  const random = new Random(attackSeed);
  const start = Buffer.from(served.upgrade('engine'));
  for (let round = 0; round < 100; round++) {
    const bytes = Buffer.from(start);
    for (let spoilt = 0; spoilt < random.whole(1, 30); spoilt++)
      bytes[random.whole(0, bytes.length - 1)] = random.whole(0, 255);
    await breakOff(bytes, 'reset');
  }
  await breakOff(Buffer.alloc(200_000, 'x'), 'reset');
  await breakOff(Buffer.from(`GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(20_000)}`), 'reset');
  await expectUnharmed();
});

test('silent, slow and half-closed connections give way, and a page comes in meanwhile', async () => {
  const sockets: Socket[] = [];
  const isOpen = (socket: Socket): boolean => !socket.closed;
  for (let visitor = 0; visitor < 300; visitor++) {
    const socket = await served.knock();
    socket.resume();
    sockets.push(socket);
    if (visitor % 4 === 1) socket.write('GET / HT');
    if (visitor % 4 === 2) socket.write(served.upgrade('engine', { Host: 'example.org' }));
    // Of the refusal nothing is read, and from this side the connection stays.
    if (visitor % 4 === 3) socket.pause().write(`GET / HTTP/1.1\r\nHost: ${served.host}\r\n\r\n`);
  }
  await expectUnharmed();
  // Those that do not read see their end only once they do.
  for (const socket of sockets) socket.resume();
  await vi.waitFor(() => expect(sockets.filter(isOpen).length).toBeLessThanOrEqual(64));
  for (const socket of sockets) socket.destroy();
});

test('a flood of connections', async () => {
  const attack = Array.from({ length: 2000 }, async (_, number) => {
    const socket = await served.knock();
    socket.write(
      served.upgrade('engine', { Host: number % 2 === 0 ? 'example.org' : served.host, Origin: 'null' }),
    );
    socket.resetAndDestroy();
  });
  await Promise.allSettled(attack);
  await expectUnharmed();
});

test('no more pages than have room, and the operator stays', async () => {
  const pages = await Promise.allSettled(Array.from({ length: 80 }, () => served.open('archive')));
  const open = pages.flatMap((page) => (page.status === 'fulfilled' ? [page.value] : []));
  expect(open.length).toBeLessThan(80);
  expect(open.length).toBeGreaterThan(40);
  for (const { socket } of open) socket.terminate();
  await vi.waitFor(expectUnharmed, { interval: 100 });
});

test('Ctrl-C ends it soon with strangers at the door, and the run is recorded', {
  tags: 'machine',
}, async () => {
  const undisturbed = await serveLiveRun(temporaryFolder());
  const undisturbedMs = await interruptedAfterMs(undisturbed.served);
  const visited = await serveLiveRun(temporaryFolder());
  onTestFinished(() => visited.served.command.signal('SIGKILL'));
  const strangers = await Promise.all(Array.from({ length: 20 }, () => visited.served.knock()));
  for (const socket of strangers.slice(10)) socket.write('GET / HTTP/1.1\r\nHost:');
  expect(await interruptedAfterMs(visited.served)).toBeLessThan(longestEndMs(undisturbedMs));
  const run = readNamedRun(visited.runFolder);
  expect(run.state).toBe('finished');
  expect(run.rows.length).toBeGreaterThan(1);
});
