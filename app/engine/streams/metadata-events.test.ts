import { expect, test } from 'vitest';
import type { ReceiverStatus } from '../../protocol/records';
import { MetadataEvents } from './metadata-events';
import { ActiveSource, Stream } from './stream';

const rate = { numerator: 60, denominator: 1 };
const status: ReceiverStatus = {
  ...{ connections: 1, width: 640, height: 360, rateNumerator: 60, rateDenominator: 1 },
  ...{ frameFormat: 'progressive', fourCC: 'UYVY', picturesCaptured: 1, lastCaptureNs: 1 },
  ...{ transportDropped: 0, transportQueueDepth: 0, metadataDropped: 0 },
};

test('every dropped metadata frame is reported, by its end, in ever fewer events', () => {
  const reported: { text: string; details: unknown; streamId: number | undefined }[] = [];
  const events = new MetadataEvents((_, text, details, streamId) =>
    reported.push({ text, details, streamId }),
  );
  const stream = new Stream(3, 'x', new ActiveSource(1, 'x', { width: 640, height: 360, rate }), 1e9, 0);
  const dropped = (sender: number, receiver: number, atSeconds: number): number => {
    stream.senderMetadataDropped = sender;
    stream.receiver = { ...status, metadataDropped: receiver };
    const before = reported.length;
    events.look(stream, atSeconds * 1e9);
    return reported.length - before;
  };
  expect(dropped(0, 0, 1)).toBe(0);
  expect(dropped(1, 0, 2)).toBe(1);
  expect(reported[0]).toEqual({
    text: 'x: 1 metadata frame dropped that the sender could not send: the transport’s send call held it up',
    details: { end: 'sender', frames: 1, dropped: 1 },
    streamId: 3,
  });
  expect(dropped(5, 7, 2.5)).toBe(1);
  expect(reported[1]?.details).toEqual({ end: 'receiver', frames: 7, dropped: 7 });
  expect(dropped(9, 7, 3)).toBe(1);
  expect(reported[2]?.details).toEqual({ end: 'sender', frames: 8, dropped: 9 });
  expect(dropped(10, 7, 4.9)).toBe(0);
  expect(dropped(12, 7, 5)).toBe(1);
  // Its process was started again.
  expect(dropped(2, 7, 10)).toBe(1);
  expect(reported[4]?.details).toEqual({ end: 'sender', frames: 2, dropped: 2 });
  stream.senderMetadataDropped = 6;
  events.end(stream);
  expect(reported[5]?.details).toEqual({ end: 'sender', frames: 4, dropped: 6 });
  expect(reported).toHaveLength(6);
});
