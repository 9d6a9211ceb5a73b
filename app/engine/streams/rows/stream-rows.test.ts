import { describe, expect, test } from 'vitest';
import { frameNumbers } from '../../../facts/figure';
import { MissCause } from '../../../protocol/records';
import { range, submits } from '../../../testing/columns';
import { figures, frameNs, TestStream } from '../../../testing/test-stream';

describe('stalls', () => {
  test('half a second without a frame, all lost: one stall, the gap as long', () => {
    const stream = new TestStream();
    const counter = stream.open(60, 299);
    stream.send(0, 359);
    stream.receive(0, 359, range(100, 130));
    const counts = stream.ledger.close(counter, 299);
    expect([counts.stalls, counts.tally.dropped]).toEqual([1, 31]);
    expect(counts.longestGapMs).toBeCloseTo(32_000 / 60, 3);
  });

  test('one frame less than half a second is none', () => {
    const stream = new TestStream();
    const counter = stream.open(60, 299);
    stream.send(0, 359);
    stream.receive(0, 359, range(100, 127));
    expect(stream.ledger.close(counter, 299).stalls).toBe(0);
  });

  test('frames that all come late in one go stood still too, though none is lost', () => {
    const stream = new TestStream();
    const counter = stream.open(60, 299);
    stream.send(0, 359);
    stream.receive(0, 99);
    for (const slot of range(100, 160)) stream.capture(slot, { captureNs: frameNs(161) + slot });
    stream.receive(161, 359);
    const counts = stream.ledger.close(counter, 299);
    expect([counts.stalls, counts.tally.dropped]).toEqual([1, 0]);
  });

  test('a sender that is silent itself is not stalled', () => {
    const missed = range(100, 160);
    const stream = new TestStream();
    const counter = stream.open(60, 299);
    stream.send(0, 359, { missed, cause: MissCause.SendBlocked });
    stream.receive(0, 359, missed);
    const counts = stream.ledger.close(counter, 299);
    expect([counts.stalls, counts.tally.missed]).toEqual([0, 61]);
    expect(counts.longestGapMs).toBeCloseTo(62_000 / 60, 3);
  });

  test('one that goes on at the end of the row counts, in the live view as well', () => {
    const stream = new TestStream();
    const counter = stream.open(60, 299);
    stream.send(0, 359);
    stream.receive(0, 199);
    expect(stream.ledger.preview(counter, 299).stalls).toBe(1);
    const counts = stream.ledger.close(counter, 299);
    expect([counts.stalls, counts.tally.dropped]).toEqual([1, 100]);
    expect(counts.longestGapMs).toBeCloseTo(100_000 / 60 - 2 + 1000 / 60, 3);
  });

  test('a second one is a second one', () => {
    const stream = new TestStream();
    const counter = stream.open(60, 599);
    stream.send(0, 659);
    stream.receive(0, 659, [...range(100, 150), ...range(300, 350)]);
    expect(stream.ledger.close(counter, 599).stalls).toBe(2);
  });
});

describe('edges of a row', () => {
  test('the gap since before the row counts from the row’s edge', () => {
    const stream = new TestStream();
    stream.send(0, 239);
    stream.receive(0, 20);
    const counter = stream.open(60, 179);
    stream.receive(66, 239);
    const counts = stream.ledger.close(counter, 179);
    expect(frameNumbers(counts.tally.droppedFrames.ranges)).toEqual(range(60, 65));
    expect(counts.longestGapMs).toBeCloseTo(6000 / 60 + 2, 3);
  });

  test('frames that come during the drain belong to their row, later ones to the next', () => {
    const stream = new TestStream();
    const first = stream.open(60, 119);
    const second = stream.open(120, 179);
    stream.send(0, 239);
    stream.receive(0, 117);
    stream.receive(120, 125);
    stream.capture(118, { captureNs: frameNs(126) });
    const closed = stream.ledger.close(first, 119);
    stream.receive(126, 239);
    stream.capture(119, { captureNs: frameNs(240) });
    const next = stream.ledger.close(second, 179);
    expect(frameNumbers(closed.tally.droppedFrames.ranges)).toEqual([119]);
    expect([closed.reordered, closed.received, closed.conserved]).toEqual([1, 59, true]);
    expect([next.tally.dropped, next.received, next.captured, next.conserved]).toEqual([0, 60, 60, true]);
  });

  test('a black picture between two rows counts once, in the row of the frame before it', () => {
    const stream = new TestStream();
    const first = stream.open(60, 119);
    stream.send(0, 239);
    stream.receive(0, 119);
    stream.blank(119);
    const second = stream.open(120, 179);
    stream.receive(120, 239);
    expect(stream.ledger.close(first, 119).undecodableUnmatched).toBe(1);
    expect(stream.ledger.close(second, 179).undecodableUnmatched).toBe(0);
  });

  test('one that comes when the row before it is closed counts in the next, in the place of its first number', () => {
    const stream = new TestStream();
    const first = stream.open(60, 119);
    stream.send(0, 239);
    stream.receive(0, 117);
    const before = stream.ledger.close(first, 119);
    const second = stream.open(120, 179);
    stream.blank(120);
    stream.receive(121, 239);
    const after = stream.ledger.close(second, 179);
    expect(frameNumbers(before.tally.droppedFrames.ranges)).toEqual([118, 119]);
    expect([after.tally.matched, after.tally.dropped, after.undecodableUnmatched]).toEqual([1, 0, 0]);
    expect([after.captured, after.received, after.conserved]).toEqual([60, 60, true]);
  });

  test('what a gap across the edge lost in the queue is reported once', () => {
    const stream = new TestStream();
    const live = stream.open(60);
    const first = stream.open(60, 119);
    const second = stream.open(120, 179);
    stream.send(0, 239);
    stream.receive(0, 117);
    stream.transportDropped = 3;
    stream.receive(122, 239);
    const before = stream.ledger.close(first, 119);
    const queued = [stream.ledger.queuedIn(118, 119), stream.ledger.queuedIn(118, 121)];
    const after = stream.ledger.close(second, 179);
    expect([before.tally.dropped, before.droppedReceiverQueue]).toEqual([2, 2]);
    expect([after.tally.dropped, after.droppedReceiverQueue]).toEqual([2, 1]);
    const when = (first: number, last: number) => ({ fromNs: frameNs(first), toNs: frameNs(last + 1) });
    expect([before.queueDroppedAt, after.queueDroppedAt]).toEqual([when(118, 119), when(120, 121)]);
    expect(queued).toEqual([2, 3]);
    // A range around both reports all of it, before and after the gap is settled.
    const around = { droppedReceiverQueue: 3, queueDroppedAt: when(118, 121) };
    expect(stream.ledger.preview(live, 200)).toMatchObject(around);
    stream.send(240, 1800);
    stream.receive(240, 1800);
    expect(stream.ledger.preview(live, 1700)).toMatchObject(around);
    expect(stream.ledger.queuedIn(118, 121)).toBe(3);
  });

  test('what a queue drops that is not counted is not known, but of no frame', () => {
    const stream = new TestStream();
    stream.ledger.isQueueCounted = false;
    const [whole, lossy] = [stream.open(60, 119), stream.open(120, 179)];
    stream.send(0, 239);
    stream.transportDropped = Number.NaN;
    stream.receive(0, 239, [130, 131]);
    expect(stream.ledger.close(whole, 119)).toMatchObject({ droppedReceiverQueue: 0, conserved: true });
    const after = stream.ledger.close(lossy, 179);
    expect(after).toMatchObject({ droppedReceiverQueue: null, queueDroppedAt: null, conserved: true });
    expect(after.tally.dropped).toBe(2);
  });

  test('a row never begins with a number that was seen before it was opened', () => {
    const stream = new TestStream();
    stream.send(0, 239);
    stream.receive(0, 70);
    const counter = stream.open(60, 179);
    stream.receive(71, 239);
    expect(counter.first).toBe(71);
    expect(figures(stream.ledger.close(counter, 179))).toMatchObject({ received: 109, conserved: true });
  });

  test('an empty row has nothing, and holds', () => {
    const stream = new TestStream();
    const counts = stream.ledger.close(stream.open(60), 59);
    expect(figures(counts)).toMatchObject({ scheduled: 0, submitted: 0, captured: 0, conserved: true });
  });
});

test('the live view says what the closed row says, however often it looks', () => {
  const stream = new TestStream();
  const counter = stream.open(60, 1499);
  stream.send(0, 1599);
  stream.receive(0, 1599, [100, 101, 700, 1400]);
  for (let last = 60; last < 1499; last += 7) stream.ledger.preview(counter, last);
  const live = stream.ledger.preview(counter, 1499);
  const closed = stream.ledger.close(counter, 1499);
  expect(figures(live)).toEqual(figures(closed));
  expect(frameNumbers(live.tally.droppedFrames.ranges)).toEqual(
    frameNumbers(closed.tally.droppedFrames.ranges),
  );
  expect(live.tally.worstWindowLost).toBe(closed.tally.worstWindowLost);
  expect(live.longestGapMs).toBe(closed.longestGapMs);
});

test('the live view waits for records that are on their way', () => {
  const stream = new TestStream();
  const counter = stream.open(60);
  stream.send(0, 200);
  stream.receive(0, 150);
  expect(stream.ledger.preview(counter, 140).tally.dropped).toBe(0);
  expect(stream.ledger.preview(counter, 160).tally.dropped).toBe(10);
  stream.receive(151, 200);
  expect(stream.ledger.preview(counter, 160).tally.dropped).toBe(0);
  stream.ledger.addSubmits(submits([201]));
  expect(stream.ledger.preview(counter, 160).conserved).toBe(true);
});
