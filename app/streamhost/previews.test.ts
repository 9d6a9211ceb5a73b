import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beatMs } from '../protocol/beat';
import type { PreviewMessage } from '../protocol/console';
import { SimulatedClock } from '../testing/simulated-clock';
import type { MessagePort } from './channel';
import { PreviewServer } from './previews';
import type { ReceiverSlot } from './receiver-slot';

class FakeReceiver {
  wanted = { rateHz: -1, maxWidth: -1 };
  sequence = 0;
  /** The arrays that `preview` was given to use again. */
  readonly used: (Uint8ClampedArray | undefined)[] = [];

  setPreview(wanted: { rateHz: number; maxWidth: number }): void {
    this.wanted = wanted;
  }

  preview(afterSequence: number, used?: Uint8ClampedArray) {
    if (this.sequence <= afterSequence) return null;
    this.used.push(used);
    const pixels = used ?? new Uint8ClampedArray(8);
    return { sequence: this.sequence, width: 2, height: 1, frameNumber: 7, pixels };
  }
}

class FakePort implements MessagePort {
  readonly messages: PreviewMessage[] = [];
  private readonly listeners = new Map<string, (event: { data: unknown; ports: MessagePort[] }) => void>();

  postMessage(message: unknown): void {
    this.messages.push(message as PreviewMessage);
  }

  on(event: string, listener: (event: { data: unknown; ports: MessagePort[] }) => void): void {
    this.listeners.set(event, listener);
  }

  start(): void {}

  say(event: 'message' | 'close', data?: unknown): void {
    this.listeners.get(event)?.({ data, ports: [] });
  }
}

let receivers: Map<number, FakeReceiver>;
let slots: Map<number, ReceiverSlot>;
let clock: SimulatedClock;
let server: PreviewServer;
let port: FakePort;

beforeEach(() => {
  clock = new SimulatedClock();
  receivers = new Map([1, 2].map((streamId) => [streamId, new FakeReceiver()]));
  slots = new Map([...receivers].map(([streamId, receiver]) => [streamId, { receiver } as never]));
  server = new PreviewServer(() => slots, clock);
  port = new FakePort();
  server.add(port);
});

afterEach(() => server.close());

function subscribe(widths: Record<number, number>, rateHz = 12, by = port): void {
  const streams = Object.entries(widths).map(([streamId, maxWidth]) => ({
    streamId: Number(streamId),
    maxWidth,
  }));
  by.say('message', { type: 'subscribe', rateHz, streams });
}

const both = { 1: 256, 2: 256 };
const unseen = { rateHz: 1, maxWidth: 256 };

test('previews are made of the streams that a window shows, as wide as it shows them', async () => {
  subscribe({ 1: 176, 2: 1280 });
  expect([...receivers.values()].map(({ wanted }) => wanted)).toEqual([
    { rateHz: 12, maxWidth: 176 },
    { rateHz: 12, maxWidth: 1280 },
  ]);
  subscribe({ 2: 176 });
  expect([...receivers.values()].map(({ wanted }) => wanted)).toEqual([
    unseen,
    { rateHz: 12, maxWidth: 176 },
  ]);
  for (const receiver of receivers.values()) receiver.sequence = 1;
  await clock.pass(200);
  expect(port.messages.map(({ streamId }) => streamId)).toEqual([2]);
});

test('of two windows that show a stream, the one that shows it larger and more often has its way', () => {
  const other = new FakePort();
  server.add(other);
  subscribe({ 1: 1280 }, 5, other);
  subscribe({ 1: 176 });
  expect(receivers.get(1)?.wanted).toEqual({ rateHz: 12, maxWidth: 1280 });
});

test('a window that shows none is not looked for', () => {
  subscribe(both);
  subscribe({});
  expect([...receivers.values()].map(({ wanted }) => wanted)).toEqual([unseen, unseen]);
  expect(clock.waiting).toBe(0);
});

test('a stream whose pictures stopped has its newest preview where it is shown again, or larger', async () => {
  subscribe({ 1: 176 });
  const receiver = receivers.get(1) as FakeReceiver;
  receiver.sequence = 1;
  const expectSent = async (count: number): Promise<void> => {
    await clock.pass(200);
    expect(port.messages).toHaveLength(count);
    port.say('message', { type: 'confirmed', streamId: 1 });
  };
  await expectSent(1);
  subscribe({ 1: 176 });
  await expectSent(1);
  subscribe({ 1: 1280 });
  await expectSent(2);
  subscribe({});
  subscribe({ 1: 1280 });
  await expectSent(3);
});

test('a stream that is shown again waits for what the window has not confirmed', async () => {
  subscribe(both);
  const receiver = receivers.get(1) as FakeReceiver;
  receiver.sequence = 1;
  await clock.pass(100);
  subscribe({ 2: 256 });
  subscribe(both);
  receiver.sequence = 2;
  await clock.pass(100);
  expect(port.messages).toHaveLength(1);
  port.say('message', { type: 'confirmed', streamId: 1 });
  await clock.pass(100);
  expect(port.messages).toHaveLength(2);
});

test('each preview goes to the window once', async () => {
  subscribe(both);
  await clock.pass(200);
  expect(port.messages).toHaveLength(0);
  for (const receiver of receivers.values()) receiver.sequence = 3;
  await clock.pass(200);
  expect(port.messages.map(({ streamId }) => streamId)).toEqual([1, 2]);
});

test('a look comes with each preview, in step with the beat of the records', async () => {
  slots.delete(2);
  subscribe(both);
  const receiver = receivers.get(1) as FakeReceiver;
  const timesMs: number[] = [];
  vi.spyOn(receiver, 'preview').mockImplementation(() => {
    timesMs.push(clock.monotonicNs() / 1e6);
    return null;
  });
  await clock.pass(1000);
  expect(timesMs).toHaveLength(12);
  const afterBeat = timesMs.map((ms) => ms % beatMs).filter((ms) => ms < 2);
  expect(afterBeat).toHaveLength(4);
});

test('the array of a preview is used again for the next one of the stream', async () => {
  slots.delete(2);
  subscribe(both);
  const receiver = receivers.get(1) as FakeReceiver;
  for (let sequence = 1; sequence <= 3; sequence++) {
    receiver.sequence = sequence;
    await clock.pass(100);
    port.say('message', { type: 'confirmed', streamId: 1 });
  }
  const [first, second, third] = receiver.used;
  expect(first).toBeUndefined();
  expect(second).toBe(port.messages[0]?.pixels);
  expect(third).toBe(second);
});

test('a window that is behind gets the newest preview of a stream once it has confirmed the one before', async () => {
  subscribe(both);
  for (const sequence of [1, 2, 3]) {
    for (const receiver of receivers.values()) receiver.sequence = sequence;
    await clock.pass(100);
  }
  expect(port.messages.map(({ streamId, confirm }) => [streamId, confirm])).toEqual([
    [1, true],
    [2, true],
  ]);
  port.say('message', { type: 'confirmed', streamId: 2 });
  await clock.pass(200);
  expect(port.messages.map(({ streamId }) => streamId)).toEqual([1, 2, 2]);
});

test('a window that confirms promptly is to confirm one preview in eight, and gets no more without', async () => {
  slots.delete(2);
  subscribe(both);
  const receiver = receivers.get(1) as FakeReceiver;
  const showNext = async (): Promise<void> => {
    receiver.sequence += 1;
    await clock.pass(100);
  };
  receiver.sequence = 1;
  while (port.messages.length === 0) await clock.pass(1);
  expect(port.messages.map(({ confirm }) => confirm)).toEqual([true]);
  port.say('message', { type: 'confirmed', streamId: 1 });
  for (let more = 0; more < 12; more++) await showNext();
  expect(port.messages.map(({ confirm }) => confirm)).toEqual([true, ...Array<boolean>(7).fill(false), true]);
});

test('a window that asked for none gets none, while another one looks', async () => {
  const other = new FakePort();
  server.add(other);
  subscribe(both);
  for (const receiver of receivers.values()) receiver.sequence = 1;
  await clock.pass(200);
  expect(port.messages).toHaveLength(2);
  expect(other.messages).toEqual([]);
});

test('when the last window is gone, previews are switched off', async () => {
  subscribe(both);
  await clock.pass(20);
  port.say('close');
  for (const { wanted } of receivers.values()) expect(wanted.rateHz).toBe(0);
  expect(clock.waiting).toBe(0);
});

test('however seldom previews are wanted, a look comes each second and no more often', async () => {
  subscribe(both, 1e-7);
  const look = vi.spyOn(receivers.get(1) as FakeReceiver, 'preview');
  await clock.pass(10_000);
  expect(look.mock.calls.length).toBe(10);
});

test.each([
  { when: 'between two looks', isSeenClosed: false },
  { when: 'after a look that found the stream closed', isSeenClosed: true },
])('a receiver that takes the place of another one $when begins anew', async ({ isSeenClosed }) => {
  subscribe(both);
  for (const receiver of receivers.values()) receiver.sequence = 30;
  await clock.pass(100);
  if (isSeenClosed) {
    slots.delete(1);
    await clock.pass(100);
  }
  const next = new FakeReceiver();
  next.sequence = 1;
  slots.set(1, { receiver: next } as never);
  await clock.pass(100);
  expect(port.messages.map(({ streamId }) => streamId)).toEqual([1, 2, 1]);
});
