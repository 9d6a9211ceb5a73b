import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type CapturedMessage,
  type DisplayMessage,
  displayLimits,
  mostPicturesOnTheWay,
  type ViewedPicture,
  type ViewLimits,
} from '../protocol/display';
import type { ReceiverReport } from '../protocol/host';
import { captureRecords } from '../protocol/record-block';
import { PictureStatus } from '../protocol/records';
import type { MessagePort } from './channel';
import { DisplayServer } from './displays';
import type { ReceiverSlot } from './receiver-slot';

class FakeReceiver {
  limits: ViewLimits | null = null;
  readonly pictures: number[] = [];

  setView(limits: ViewLimits | null): void {
    this.limits = limits;
  }

  takeView(): Partial<ViewedPicture> | null {
    const frameNumber = this.pictures.shift();
    return frameNumber === undefined ? null : { frameNumber };
  }
}

type Listener = (event: { data: unknown; ports: MessagePort[] }) => void;

class FakePort implements MessagePort {
  readonly messages: DisplayMessage[] = [];
  private readonly listeners = new Map<string, Listener>();

  postMessage(message: unknown): void {
    this.messages.push(message as DisplayMessage);
  }

  on(event: string, listener: Listener): void {
    this.listeners.set(event, listener);
  }

  start(): void {}

  say(event: 'message' | 'close', data?: unknown): void {
    this.listeners.get(event)?.({ data, ports: [] });
  }
}

const slots = new Map<number, { receiver: FakeReceiver | null }>();
let server: DisplayServer;
let port: FakePort;

beforeEach(() => {
  vi.useFakeTimers();
  slots.clear();
  for (const streamId of [1, 2]) slots.set(streamId, { receiver: new FakeReceiver() });
  server = new DisplayServer(() => slots as unknown as ReadonlyMap<number, ReceiverSlot>);
  port = new FakePort();
  server.add(port);
});

afterEach(() => {
  server.close();
  vi.useRealTimers();
});

const receiverOf = (streamId: number): FakeReceiver => slots.get(streamId)?.receiver as FakeReceiver;
const framesOf = ({ messages }: FakePort): (number | null)[] =>
  messages.flatMap((message) => (message.type === 'picture' ? [message.frameNumber] : []));

test('pixels come of the stream that is viewed and of no other, and of none after it', () => {
  vi.advanceTimersByTime(20);
  expect(vi.getTimerCount()).toBe(0);
  port.say('message', { type: 'view', streamId: 2 });
  vi.advanceTimersByTime(20);
  expect([receiverOf(1).limits, receiverOf(2).limits]).toEqual([null, displayLimits]);
  port.say('message', { type: 'view', streamId: 1 });
  vi.advanceTimersByTime(20);
  expect([receiverOf(1).limits, receiverOf(2).limits]).toEqual([displayLimits, null]);
  port.say('close');
  expect(receiverOf(1).limits).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

test('a window that is slow has no more on its way than it can take', () => {
  port.say('message', { type: 'view', streamId: 1 });
  receiverOf(1).pictures.push(10, 11, 12, 13, 14);
  vi.advanceTimersByTime(20);
  expect(framesOf(port)).toEqual([10, 11, 12].slice(0, mostPicturesOnTheWay));
  port.say('message', { type: 'done', sequence: 2 });
  vi.advanceTimersByTime(20);
  expect(framesOf(port)).toEqual([10, 11, 12, 13, 14]);
  port.say('message', { type: 'done', sequence: 999 });
  receiverOf(1).pictures.push(15, 16, 17, 18);
  vi.advanceTimersByTime(20);
  expect(framesOf(port).slice(5)).toEqual([15, 16, 17]);
});

test('a receiver that was opened anew is asked again', () => {
  port.say('message', { type: 'view', streamId: 1 });
  vi.advanceTimersByTime(20);
  slots.set(1, { receiver: null });
  vi.advanceTimersByTime(20);
  slots.set(1, { receiver: new FakeReceiver() });
  vi.advanceTimersByTime(20);
  expect(receiverOf(1).limits).toEqual(displayLimits);
});

test('what was captured is reported by number, without pictures that have none', () => {
  const captures = {
    ...captureRecords.empty(),
    frameNumber: Uint32Array.of(7, 0, 8),
    sourceId: Uint16Array.of(5, 0, 5),
    status: Uint8Array.of(PictureStatus.Good, PictureStatus.Undecodable, PictureStatus.Torn),
  };
  const reports = [{ streamId: 1, captures } as ReceiverReport];
  server.reportCaptured(reports);
  expect(port.messages).toEqual([]);
  port.say('message', { type: 'view', streamId: 1 });
  server.reportCaptured(reports);
  expect(port.messages).toEqual([
    {
      type: 'captured',
      streamId: 1,
      sourceIds: Uint16Array.of(5, 5),
      frameNumbers: Uint32Array.of(7, 8),
    } satisfies CapturedMessage,
  ]);
  port.say('message', { type: 'view', streamId: 0 });
  server.reportCaptured(reports);
  expect(port.messages).toHaveLength(2);
});
