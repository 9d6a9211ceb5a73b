import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TextureReader } from '../../native/addon/index';
import type { TextureAnswer, TextureMessage, TextureRequest } from '../protocol/textures';
import { SimulatedClock } from '../testing/simulated-clock';
import type { MessagePort } from './channel';
import { TextureServer, type TextureSource } from './textures';

/** Shows a new frame whenever the test says so; a request fetches it at once. */
class FakeReader {
  shownFrame = 0;
  requests = 0;
  wrong = '';
  isClosed = false;
  private newest = { sequence: 0, frame: -1 };

  request(): void {
    this.requests += 1;
    if (this.wrong !== '' || this.newest.frame === this.shownFrame) return;
    this.newest = { sequence: this.newest.sequence + 1, frame: this.shownFrame };
  }

  texture(afterSequence: number) {
    if (this.newest.sequence <= afterSequence) return null;
    const blocks = new Uint8Array([this.newest.frame]);
    const shape = { width: 4, height: 4, format: 'bc1-rgb', frames: 9 } as const;
    return { ...this.newest, ...shape, blocks, alphaBlocks: null };
  }

  background(): Uint8Array {
    return new Uint8Array([90]);
  }

  damage(): string {
    return this.wrong;
  }

  close(): void {
    this.isClosed = true;
  }
}

class FakePort implements MessagePort {
  readonly answers: TextureAnswer[] = [];
  private listeners: { message?: (event: { data: unknown; ports: [] }) => void; close?: () => void } = {};

  postMessage(message: unknown): void {
    this.answers.push(message as TextureAnswer);
  }

  on(event: 'message' | 'close', listener: (event: { data: unknown; ports: [] }) => void): void {
    this.listeners[event] = listener as () => void;
  }

  start(): void {}

  ask(request: TextureRequest): void {
    this.listeners.message?.({ data: request, ports: [] });
  }

  close(): void {
    this.listeners.close?.();
  }

  textures(): TextureMessage[] {
    return this.answers.filter((answer): answer is TextureMessage => answer.type === 'texture');
  }

  acknowledgeNewest(): void {
    const sequence = this.textures().pop()?.sequence ?? -1;
    this.ask({ type: 'acknowledge', sequence });
  }
}

let readers: FakeReader[];
let sources: Map<number, TextureSource>;
let clock: SimulatedClock;
let server: TextureServer;
let port: FakePort;

function hapSource(): TextureSource {
  return {
    openReader: () => {
      const reader = new FakeReader();
      readers.push(reader);
      return reader as unknown as TextureReader;
    },
  };
}

beforeEach(() => {
  clock = new SimulatedClock();
  readers = [];
  sources = new Map([[1, hapSource()]]);
  server = new TextureServer((streamId) => sources.get(streamId) ?? null, clock);
  port = new FakePort();
  server.add(port);
});

afterEach(() => server.close());

/** Plays a movie of so many frames per second, with a window that takes `drawMs` for each texture. */
async function play(seconds: number, framesPerSecond: number, drawMs: number): Promise<void> {
  let drawnMs = 0;
  let acknowledged = 0;
  for (let nowMs = 0; nowMs < seconds * 1000; nowMs += 4) {
    const [reader] = readers;
    if (reader) reader.shownFrame = Math.floor((nowMs * framesPerSecond) / 1000);
    await clock.pass(4);
    const count = port.textures().length;
    expect(count - acknowledged, 'textures on their way').toBeLessThanOrEqual(1);
    if (count === acknowledged) drawnMs = nowMs + drawMs;
    else if (nowMs >= drawnMs) {
      port.acknowledgeNewest();
      acknowledged = count;
    }
  }
}

test('a window that is fast enough gets every frame of a slow movie, once', async () => {
  port.ask({ type: 'subscribe', streamId: 1, rateHz: 30 });
  await play(2, 24, 0);
  const frames = port.textures().map(({ frame }) => frame);
  expect(frames).toEqual(Array.from({ length: frames.length }, (_, index) => index));
  expect(frames.length).toBeGreaterThanOrEqual(46);
});

test('of a fast movie it gets no more than it asked for', async () => {
  port.ask({ type: 'subscribe', streamId: 1, rateHz: 30 });
  await play(2, 60, 0);
  expect(port.textures().length).toBeGreaterThanOrEqual(54);
  expect(port.textures().length).toBeLessThanOrEqual(61);
});

test('a slow window gets fewer, each of them fresh', async () => {
  port.ask({ type: 'subscribe', streamId: 1, rateHz: 30 });
  await play(2, 60, 200);
  const frames = port.textures().map(({ frame }) => frame);
  expect(frames.length).toBeGreaterThanOrEqual(8);
  expect(frames.length).toBeLessThanOrEqual(11);
  for (const [index, frame] of frames.entries()) {
    if (index > 0) expect(frame - (frames[index - 1] ?? 0)).toBeGreaterThanOrEqual(10);
  }
});

test('what is not acknowledged is not followed by another', async () => {
  port.ask({ type: 'subscribe', streamId: 1, rateHz: 30 });
  for (let frame = 0; frame < 50; frame++) {
    await clock.pass(40);
    if (readers[0]) readers[0].shownFrame = frame;
    port.ask({ type: 'acknowledge', sequence: 77 });
  }
  expect(port.textures()).toHaveLength(1);
});

test('the background comes with the first texture of a subscription only', async () => {
  port.ask({ type: 'subscribe', streamId: 1, rateHz: 30 });
  await play(1, 10, 0);
  const [first, ...others] = port.textures();
  expect(first?.background).toEqual(new Uint8Array([90]));
  expect(others.length).toBeGreaterThan(5);
  for (const { background } of others) expect(background).toBeNull();
});

test('a source opened anew gets a reader anew, and the old one is closed', async () => {
  port.ask({ type: 'subscribe', streamId: 1, rateHz: 30 });
  await clock.pass(100);
  sources.set(1, hapSource());
  await clock.pass(100);
  expect(readers.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  expect(port.textures().map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(port.textures()[1]?.background).not.toBeNull();
});

test('why there is nothing is reported once, and again when it changes', async () => {
  sources.clear();
  port.ask({ type: 'subscribe', streamId: 1, rateHz: 30 });
  await clock.pass(500);
  sources.set(1, { openReader: null });
  await clock.pass(500);
  sources.set(1, hapSource());
  await clock.pass(100);
  expect(port.answers.map((answer) => (answer.type === 'no-texture' ? answer.reason : answer.type))).toEqual([
    'no-stream',
    'not-hap',
    'texture',
  ]);
});

test('a movie that cannot be read is reported as such; one damaged frame is not', async () => {
  port.ask({ type: 'subscribe', streamId: 1, rateHz: 30 });
  await clock.pass(8);
  const [reader] = readers;
  if (!reader) throw new Error('no reader was opened');
  reader.wrong = 'a.mov is gone';
  await clock.pass(500);
  reader.wrong = '';
  await clock.pass(500);
  port.acknowledgeNewest();
  reader.wrong = 'frame 3 of a.mov is damaged';
  await clock.pass(500);
  expect(port.answers).toMatchObject([
    { type: 'no-texture', reason: 'unreadable', message: 'a.mov is gone' },
    { type: 'texture' },
    { type: 'damaged-texture', message: 'frame 3 of a.mov is damaged' },
  ]);
});

test.each([
  ['ends its subscription', () => port.ask({ type: 'subscribe', streamId: 1, rateHz: 0 })],
  ['closes its port', () => port.close()],
])('a window that %s leaves no reader and no timer', async (_, end) => {
  port.ask({ type: 'subscribe', streamId: 1, rateHz: 30 });
  await clock.pass(100);
  expect(clock.waiting).toBe(1);
  end();
  expect(readers.map(({ isClosed }) => isClosed)).toEqual([true]);
  expect(clock.waiting).toBe(0);
});
