import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PreviewMessage } from '../protocol/console';
import type { MessagePort } from './channel';
import { PreviewServer } from './previews';
import type { ReceiverSlot } from './receiver-slot';

class FakeReceiver {
  wanted = { rateHz: -1, maxWidth: -1 };
  madeMs = 0;
  /** The arrays that `preview` was given to use again. */
  readonly used: (Uint8ClampedArray | undefined)[] = [];
  private newest = 0;

  get sequence(): number {
    return this.newest;
  }

  set sequence(sequence: number) {
    this.newest = sequence;
    this.madeMs = performance.now();
  }

  setPreview(wanted: { rateHz: number; maxWidth: number }): void {
    this.wanted = wanted;
  }

  preview(afterSequence: number, used?: Uint8ClampedArray) {
    if (this.sequence <= afterSequence) return null;
    this.used.push(used);
    const ageMs = performance.now() - this.madeMs;
    const pixels = used ?? new Uint8ClampedArray(8);
    return { sequence: this.sequence, width: 2, height: 1, frameNumber: 7, ageMs, pixels };
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
let server: PreviewServer;
let port: FakePort;

beforeEach(() => {
  vi.useFakeTimers();
  receivers = new Map([1, 2].map((streamId) => [streamId, new FakeReceiver()]));
  slots = new Map([...receivers].map(([streamId, receiver]) => [streamId, { receiver } as never]));
  server = new PreviewServer(() => slots);
  port = new FakePort();
  server.add(port);
});

afterEach(() => {
  server.close();
  vi.useRealTimers();
});

const small = { type: 'subscribe', rateHz: 12, maxWidth: 256 };

test('only the stream that is viewed is made large, for as long as it is', () => {
  port.say('message', { ...small, large: { streamId: 2, maxWidth: 1280 } });
  vi.advanceTimersByTime(20);
  expect(receivers.get(1)?.wanted).toEqual({ rateHz: 12, maxWidth: 256 });
  expect(receivers.get(2)?.wanted).toEqual({ rateHz: 12, maxWidth: 1280 });
  port.say('message', small);
  vi.advanceTimersByTime(20);
  expect(receivers.get(2)?.wanted).toEqual({ rateHz: 12, maxWidth: 256 });
});

test('each preview goes to the window once', () => {
  port.say('message', small);
  vi.advanceTimersByTime(200);
  expect(port.messages).toHaveLength(0);
  for (const receiver of receivers.values()) receiver.sequence = 3;
  vi.advanceTimersByTime(200);
  expect(port.messages.map(({ streamId }) => streamId)).toEqual([1, 2]);
});

/** Makes a preview of stream 1 after each of these times; how often it is looked for meanwhile. */
function looksFor(intervalsMs: number[]): number {
  slots.delete(2);
  port.say('message', small);
  const receiver = receivers.get(1) as FakeReceiver;
  const look = vi.spyOn(receiver, 'preview');
  for (const intervalMs of intervalsMs) {
    receiver.sequence += 1;
    vi.advanceTimersByTime(intervalMs);
    port.say('message', { type: 'taken', streamId: 1 });
  }
  return look.mock.calls.length;
}

test('previews that come as often as was asked for are looked for once each', () => {
  expect(looksFor(Array.from({ length: 12 }, () => 1000 / 12))).toBeLessThanOrEqual(12 + 1);
  expect(port.messages).toHaveLength(12);
});

test('one that is late is there within 16 ms', () => {
  looksFor([1000 / 12, 130]);
  for (const receiver of receivers.values()) receiver.sequence += 1;
  vi.advanceTimersByTime(16);
  expect(port.messages).toHaveLength(3);
});

test('the array of a preview is used again for the next one of the stream', () => {
  looksFor([100, 100, 100]);
  const [first, second, third] = receivers.get(1)?.used ?? [];
  expect(first).toBeUndefined();
  expect(second).toBe(port.messages[0]?.pixels);
  expect(third).toBe(second);
});

test('a window that is behind gets the newest preview of a stream once it has taken the one before', () => {
  port.say('message', small);
  for (const sequence of [1, 2, 3]) {
    for (const receiver of receivers.values()) receiver.sequence = sequence;
    vi.advanceTimersByTime(20);
  }
  expect(port.messages.map(({ streamId }) => streamId)).toEqual([1, 2]);
  port.say('message', { type: 'taken', streamId: 2 });
  vi.advanceTimersByTime(200);
  expect(port.messages.map(({ streamId }) => streamId)).toEqual([1, 2, 2]);
});

test('a window that asked for none gets none, while another one looks', () => {
  const other = new FakePort();
  server.add(other);
  port.say('message', small);
  for (const receiver of receivers.values()) receiver.sequence = 1;
  vi.advanceTimersByTime(200);
  expect(port.messages).toHaveLength(2);
  expect(other.messages).toEqual([]);
});

test('when the last window is gone, previews are switched off', () => {
  port.say('message', small);
  vi.advanceTimersByTime(20);
  port.say('close');
  for (const { wanted } of receivers.values()) expect(wanted.rateHz).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('of a receiver that was closed nothing is kept: another one under its number begins anew', () => {
  port.say('message', small);
  for (const receiver of receivers.values()) receiver.sequence = 3;
  vi.advanceTimersByTime(20);
  slots.delete(1);
  vi.advanceTimersByTime(100);
  const next = new FakeReceiver();
  next.sequence = 1;
  slots.set(1, { receiver: next } as never);
  vi.advanceTimersByTime(100);
  expect(port.messages.map(({ streamId }) => streamId)).toEqual([1, 2, 1]);
});
