import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../../facts/reason-words';
import { defaultThresholds } from '../../../protocol/thresholds';
import { endLoad } from '../../../testing/end-load';
import { frameNs, latencyNs, TestStream, unknownClock } from '../../../testing/test-stream';
import { codedEvidence, judgeStream } from '../rows/judgement';
import type { RangeCounts } from './range-counts';

const idle = {
  sender: endLoad(10, null),
  receiver: endLoad(10, null),
  guards: [],
  contradictions: [],
  lateDisk: { rateMBps: null, neededMBps: null, reads: null },
  wallOffsetUs: 0,
};

function verdictOf(counts: RangeCounts) {
  const { verdict, reason } = judgeStream(
    codedEvidence(counts, defaultThresholds, idle),
    idle,
    defaultThresholds,
  );
  return { verdict, reason: wordsOf(reason) };
}

describe('a sender that falls silent', () => {
  test('slots without any record make the row INVALID, never PASS', () => {
    const stream = new TestStream();
    stream.send(0, 59);
    stream.receive(0, 59);
    const counts = stream.ledger.close(stream.open(60, 179), 179);
    expect(counts.unrecorded).toBe(120);
    expect(verdictOf(counts)).toEqual({
      verdict: 'INVALID',
      reason: 'the sender left no record of 120 frames',
    });
  });

  test('without the sender’s records, a picture that stands still to the end is a stall', () => {
    const stream = new TestStream({ assumeSubmitted: true, clock: unknownClock });
    const counter = stream.open(60, 179);
    stream.receive(0, 119);
    const counts = stream.close(counter, 179);
    expect(counts).toMatchObject({ stalls: 1, unrecorded: 0, received: 60 });
    expect(verdictOf(counts).verdict).toBe('FAIL');
  });
});

test('with the sender’s records, a picture that is repeated while it submits is a stall as well', () => {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  stream.send(0, 179);
  stream.receive(0, 99);
  for (let slot = 100; slot < 150; slot++) stream.capture(99, { captureNs: frameNs(slot) + latencyNs });
  stream.receive(150, 179);
  const counts = stream.close(counter, 179);
  expect(counts).toMatchObject({ stalls: 1, duplicated: 50, received: 70, tail: null, conserved: true });
  expect(counts.longestGapMs).toBeCloseTo((51 * 1000) / 60, 3);
  expect(verdictOf(counts)).toMatchObject({
    verdict: 'FAIL',
    reason: expect.stringMatching(/^stood still once/),
  });
});

test('frames seen before their estimated slot belong to the range that closes', () => {
  const stream = new TestStream({ assumeSubmitted: true, clock: unknownClock });
  const counter = stream.open(0, Number.POSITIVE_INFINITY);
  stream.receive(0, 105);
  const last = stream.ledger.closingSlot(103);
  expect(last).toBe(105);
  const counts = stream.close(counter, last);
  expect(counts).toMatchObject({ received: 106, conserved: true });
  expect(verdictOf(counts).verdict).toBe('PASS');
});

test('pictures without a readable code are lost frames, not a standstill', () => {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  stream.send(0, 179);
  stream.receive(0, 79);
  for (let slot = 80; slot < 160; slot++) stream.blank(slot);
  stream.receive(160, 179);
  const counts = stream.close(counter, 179);
  expect(counts.stalls).toBe(0);
  expect(counts.tally.matched).toBe(80);
  expect(counts.longestGapMs).toBeGreaterThan(1300);
  expect(verdictOf(counts).verdict).toBe('FAIL');
});

describe('without the sender’s records, a picture that is repeated is no new one', () => {
  const endSlot = 179;

  /** A row of 2 s of a sender of 60 frames a second whose last new picture is that of a slot, and what comes behind it. */
  function rowOf(lastSlot: number, repeatEverySlots: number | null): RangeCounts {
    const stream = new TestStream({ assumeSubmitted: true, clock: unknownClock });
    const counter = stream.open(60, endSlot);
    stream.receive(0, lastSlot);
    for (let slot = lastSlot + 1; repeatEverySlots !== null && slot < endSlot + 120; slot += repeatEverySlots)
      stream.capture(lastSlot, { captureNs: frameNs(slot) + latencyNs });
    return stream.close(counter, endSlot);
  }

  test.each([
    [178, 1],
    [170, 1],
    [156, 1],
    [140, 1],
    [100, 1],
    [59, 1],
    [140, 30],
    [100, 300],
  ])(
    'the row says the same of the last picture of slot %d, repeated every %d frames, as of silence',
    (lastSlot, every) => {
      const silent = rowOf(lastSlot, null);
      const frozen = rowOf(lastSlot, every);
      const { captured, duplicated, ...rest } = frozen;
      expect(rest).toEqual({ ...rest, ...withoutPictures(silent) });
      expect(captured - duplicated).toBe(silent.captured);
      expect(rest.tail?.frames).toBe(endSlot - lastSlot);
    },
  );

  function withoutPictures({ captured: _, duplicated: __, ...rest }: RangeCounts): Partial<RangeCounts> {
    return rest;
  }

  /** Pictures of so many numbers a second at the times of 60, as a sender sends that declares 60 and has fewer. */
  test.each([12, 15, 20, 24, 25, 30, 40, 48, 50, 60])(
    'a sender of %d frames a second that repeats them at the times of 60 loses none',
    (perSecond) => {
      const stream = new TestStream({ assumeSubmitted: true, clock: unknownClock });
      const counter = stream.open(60, endSlot);
      for (let slot = 0; slot < endSlot + 60; slot++)
        stream.capture(Math.floor((slot * perSecond) / 60), { captureNs: frameNs(slot) + latencyNs });
      const counts = stream.close(counter, endSlot);
      expect(counts).toMatchObject({ tail: null, stalls: 0, captured: 120, conserved: true });
      expect(counts.duplicated).toBe(120 - counts.received);
      expect(verdictOf(counts).verdict).toBe('PASS');
    },
  );
});
