import { expect, test, vi } from 'vitest';
import { Random, seeds } from '../../../testing/random';
import { type Injected, nothingInjected, SimulatedPath } from '../../../testing/simulated-path';
import { figures, TestStream } from '../../../testing/test-stream';

const millionFrames = 1_000_000;

/** Plays rows of random length, one after the other, and sums up what they say. */
function counted(random: Random, first: number, frames: number, rows: number) {
  const stream = new TestStream({ firstSlot: first });
  const path = new SimulatedPath(stream, random, first);
  const sums: Record<string, number> = {};
  let conserved = true;
  let start = first;
  let counter = stream.open(start);
  for (let row = 1; row <= rows; row++) {
    path.play(Math.ceil(frames / rows));
    const last = path.next - 1;
    const counts = stream.ledger.close(counter, last);
    conserved &&= counts.conserved;
    for (const [key, value] of Object.entries(figures(counts)))
      if (typeof value === 'number') sums[key] = (sums[key] ?? 0) + value;
    start = last + 1;
    counter = stream.open(start);
  }
  return { sums, conserved, injected: path.injected, played: path.next - first };
}

function expected(injected: Injected, played: number) {
  const submitted = played - injected.missed;
  const received = submitted - injected.dropped;
  return {
    ...injected,
    ...{ scheduled: played, submitted, received, stalls: 0 },
    captured: received + injected.duplicated + injected.unmatched,
  };
}

vi.setConfig({ testTimeout: 60_000 });

test.each(seeds)('a million frames of random faults count exactly what was put in (seed %i)', (seed) => {
  const random = new Random(seed);
  const { sums, conserved, injected, played } = counted(random, random.whole(0, 1000), millionFrames, 20);
  expect(played).toBeGreaterThanOrEqual(millionFrames);
  expect(injected).not.toMatchObject(nothingInjected);
  expect(sums).toEqual(expected(injected, played));
  expect(conserved).toBe(true);
});

test.each(seeds)('many short rows, across the wrap of the frame number (seed %i)', (seed) => {
  const { sums, conserved, injected, played } = counted(new Random(seed), 2 ** 32 - 40_000, 80_000, 400);
  expect(sums).toEqual(expected(injected, played));
  expect(conserved).toBe(true);
});
