import { describe, expect, test } from 'vitest';
import { range } from '../../../testing/columns';
import { latencyNs, TestStream } from '../../../testing/test-stream';

/** Two gaps of 60 and of 40 frames with one whole frame between them. */
const lost = [...range(200, 259), ...range(261, 300)];
const periodMs = 1000 / 60;

describe.each([
  ['with its records', false],
  ['without records', true],
])('a sender %s', (_, assumeSubmitted) => {
  const played = (lost: number[], change: (stream: TestStream) => void = () => undefined) => {
    const stream = new TestStream({ assumeSubmitted });
    const counter = stream.open(60, 659);
    if (!assumeSubmitted) stream.send(0, 719);
    for (const slot of range(0, 719)) {
      if (!lost.includes(slot)) stream.capture(slot);
      if (slot === 260) change(stream);
    }
    return stream.close(counter, 659);
  };

  test('two gaps with one frame between are two: the longest gap is that of the longer one', () => {
    const { longestGapMs, longestStallMs, stalls, tally } = played(lost);
    expect(stalls).toBe(2);
    expect(longestGapMs).toBeCloseTo(61 * periodMs, 3);
    expect(longestStallMs).toBeCloseTo(61 * periodMs, 3);
    expect(tally.lost.gapHistogram).toMatchObject({ over30: 2, of11to30: 0, of1: 0 });
    expect(tally.dropped).toBe(100);
  });

  test('a picture without a code between makes no gap of new numbers shorter', () => {
    const { longestGapMs } = played(
      [...lost, 260].filter((slot) => slot !== 250),
      (stream) => stream.blank(260),
    );
    expect(longestGapMs).toBeCloseTo(51 * periodMs, 3);
  });

  test('one that was held up parts them when it comes', () => {
    const late = 20 * periodMs;
    const { longestGapMs } = played([...lost, 260], (stream) =>
      stream.capture(260, { captureNs: 1e9 + 260 * periodMs * 1e6 + latencyNs + late * 1e6 }),
    );
    expect(longestGapMs).toBeCloseTo(61 * periodMs + late, 3);
  });
});
