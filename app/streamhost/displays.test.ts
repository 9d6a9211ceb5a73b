import { afterEach, beforeEach, expect, test } from 'vitest';
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
import { SimulatedClock } from '../testing/simulated-clock';
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
let clock: SimulatedClock;
let server: DisplayServer;
let port: FakePort;

beforeEach(() => {
  clock = new SimulatedClock();
  slots.clear();
  for (const streamId of [1, 2]) slots.set(streamId, { receiver: new FakeReceiver() });
  server = new DisplayServer(() => slots as unknown as ReadonlyMap<number, ReceiverSlot>, clock);
  port = new FakePort();
  server.add(port);
});

afterEach(() => server.close());

const receiverOf = (streamId: number): FakeReceiver => slots.get(streamId)?.receiver as FakeReceiver;
const framesOf = ({ messages }: FakePort): (number | null)[] =>
  messages.flatMap((message) => (message.type === 'picture' ? [message.frameNumber] : []));

test('pixels come of the stream that is viewed and of no other, and of none after it', async () => {
  await clock.pass(20);
  expect(clock.waiting).toBe(0);
  port.say('message', { type: 'view', streamId: 2 });
  await clock.pass(20);
  expect([receiverOf(1).limits, receiverOf(2).limits]).toEqual([null, displayLimits]);
  port.say('message', { type: 'view', streamId: 1 });
  await clock.pass(20);
  expect([receiverOf(1).limits, receiverOf(2).limits]).toEqual([displayLimits, null]);
  port.say('close');
  expect(receiverOf(1).limits).toBeNull();
  expect(clock.waiting).toBe(0);
});

test('a window that is slow has no more on its way than it can take', async () => {
  port.say('message', { type: 'view', streamId: 1 });
  receiverOf(1).pictures.push(10, 11, 12, 13, 14);
  await clock.pass(20);
  expect(framesOf(port)).toEqual([10, 11, 12].slice(0, mostPicturesOnTheWay));
  port.say('message', { type: 'done', sequence: 2 });
  await clock.pass(20);
  expect(framesOf(port)).toEqual([10, 11, 12, 13, 14]);
  port.say('message', { type: 'done', sequence: 999 });
  receiverOf(1).pictures.push(15, 16, 17, 18);
  await clock.pass(20);
  expect(framesOf(port).slice(5)).toEqual([15, 16, 17]);
});

test('a receiver that was opened anew is asked again', async () => {
  port.say('message', { type: 'view', streamId: 1 });
  await clock.pass(20);
  slots.set(1, { receiver: null });
  await clock.pass(20);
  slots.set(1, { receiver: new FakeReceiver() });
  await clock.pass(20);
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

test('a single frame is reported too, and no message says that there was none', () => {
  port.say('message', { type: 'view', streamId: 1 });
  const report = (...frameNumber: number[]): ReceiverReport[] => {
    const captures = {
      ...captureRecords.empty(),
      sourceId: Uint16Array.from(frameNumber, () => 5),
      frameNumber: Uint32Array.from(frameNumber),
      status: Uint8Array.from(frameNumber, () => PictureStatus.Good),
    };
    return [{ streamId: 1, captures } as ReceiverReport];
  };
  server.reportCaptured(report());
  expect(port.messages).toEqual([]);
  server.reportCaptured(report(7));
  expect(port.messages).toMatchObject([{ type: 'captured', frameNumbers: Uint32Array.of(7) }]);
});
