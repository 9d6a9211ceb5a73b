import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../../protocol/reason-words';
import { defaultThresholds } from '../../../protocol/thresholds';
import { endLoad } from '../../../testing/end-load';
import { TestStream, unknownClock } from '../../../testing/test-stream';
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
