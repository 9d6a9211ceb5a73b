import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PreviewMessage } from '../protocol/console';
import type { MessagePort } from './channel';
import { PreviewServer } from './previews';
import type { ReceiverSlot } from './receiver-slot';

class FakeReceiver {
  wanted = { rateHz: -1, maxWidth: -1 };
  sequence = 0;

  setPreview(wanted: { rateHz: number; maxWidth: number }): void {
    this.wanted = wanted;
  }

  preview(afterSequence: number) {
    if (this.sequence <= afterSequence) return null;
    return { sequence: this.sequence, width: 2, height: 1, frameNumber: 7, pixels: new Uint8ClampedArray(8) };
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

test('between two previews of a stream, no look is in vain for long', () => {
  slots.delete(2);
  port.say('message', small);
  const receiver = receivers.get(1) as FakeReceiver;
  const look = vi.spyOn(receiver, 'preview');
  for (let sequence = 1; sequence <= 12; sequence++) {
    receiver.sequence = sequence;
    vi.advanceTimersByTime(1000 / 12);
    port.say('message', { type: 'taken', streamId: 1 });
  }
  expect(port.messages).toHaveLength(12);
  expect(look.mock.calls.length).toBeLessThanOrEqual(2 * 12 + 2);
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
