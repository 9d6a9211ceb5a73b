import { describe, expect, test } from 'vitest';
import { Random, seeds } from '../../testing/random';
import { boundsOf, mostNumbersAfter, nextStreams, type RampPlan, type RampStep } from './ramp';
import { bisect, mostBisections } from './refine';

const plan: RampPlan = { start: 1, step: 1, maxStreams: 4, refine: false };

/** Runs a ramp to its end against something that carries so many streams; returns what was measured, in order. */
function runRamp(ramp: RampPlan, capacity: number, stops = true): RampStep[] {
  const measured: RampStep[] = [];
  let streams = nextStreams(ramp, measured);
  while (streams !== null) {
    if (measured.length > 200) throw new Error('the ramp does not end');
    const isBad = streams > capacity;
    measured.push({ streams, outcome: isBad ? 'bad' : 'clean', stops: stops && isBad });
    streams = nextStreams(ramp, measured);
  }
  return measured;
}

const numbers = (measured: RampStep[]): number[] => measured.map(({ streams }) => streams);

test.each<[Partial<RampPlan>, number, number[]]>([
  [{}, 9, [1, 2, 3, 4]],
  [{}, 2, [1, 2, 3]],
  [{ start: 2, step: 3, maxStreams: 9 }, 9, [2, 5, 8, 9]],
  [{ start: 4 }, 9, [4]],
  [{ start: 2, step: 4, maxStreams: 16, refine: true }, 7, [2, 6, 10, 8, 7]],
  [{ start: 8, step: 8, maxStreams: 16, refine: true }, 0, [8, 4, 2, 1]],
  [{ step: 2, maxStreams: 6, refine: true }, 6, [1, 3, 5, 6]],
])('a ramp %j with room for %i streams measures %j', (changes, capacity, expected) => {
  expect(numbers(runRamp({ ...plan, ...changes }, capacity))).toEqual(expected);
});

test('a ramp that no rule stops goes on to its maximum; a refined one turns at the first bad row all the same', () => {
  expect(numbers(runRamp(plan, 1, false))).toEqual([1, 2, 3, 4]);
  expect(numbers(runRamp({ ...plan, step: 3, maxStreams: 9, refine: true }, 2, false))).toEqual([1, 4, 2, 3]);
});

describe('a row that is INVALID', () => {
  const at = (streams: number, outcome: RampStep['outcome'], stops = false): RampStep => ({
    streams,
    outcome,
    stops,
  });
  const refined = { ...plan, step: 4, maxStreams: 16, refine: true };

  test('ends a ramp where it is a rule, and is passed over where it is none', () => {
    expect(nextStreams(refined, [at(1, 'clean'), at(5, 'unknown', true)])).toBeNull();
    expect(nextStreams(refined, [at(1, 'clean'), at(5, 'unknown')])).toBe(9);
  });

  test('ends a refinement only where the limit may lie on either side of it', () => {
    const ramp = [at(1, 'unknown'), at(5, 'clean'), at(9, 'bad')];
    expect(nextStreams(refined, ramp)).toBe(7);
    expect(nextStreams(refined, [...ramp, at(7, 'unknown')])).toBeNull();
    expect(nextStreams(refined, [at(1, 'clean'), at(5, 'unknown'), at(9, 'bad')])).toBeNull();
  });
});

test('a number that was clean above a bad one moves no bound', () => {
  const measured: RampStep[] = [2, 4, 6].map((streams) => ({
    ...{ streams, outcome: streams === 4 ? ('bad' as const) : ('clean' as const), stops: false },
  }));
  expect(boundsOf(measured)).toEqual({ good: 2, bad: 4 });
  expect(boundsOf(measured.slice(0, 1))).toBeNull();
});

test.each(seeds)(
  'a refinement ends at exactly the capacity, in no more rows than log2 takes (seed %i)',
  (seed) => {
    const random = new Random(seed);
    for (let capacity = 0; capacity <= 64; capacity++) {
      for (let trial = 0; trial < 40; trial++) {
        const maxStreams = random.whole(1, 64);
        const ramp = {
          start: random.whole(1, maxStreams),
          step: random.whole(1, 64),
          maxStreams,
          refine: true,
        };
        const measured = runRamp(ramp, capacity, trial % 2 === 0);
        const what = `${JSON.stringify(ramp)} with room for ${capacity}: ${numbers(measured)}`;
        const clean = Math.max(
          0,
          ...measured.filter(({ outcome }) => outcome === 'clean').map(({ streams }) => streams),
        );
        expect(clean, what).toBe(Math.min(capacity, maxStreams));
        const turn = measured.findIndex(({ outcome }) => outcome === 'bad');
        if (turn < 0) continue;
        const before = { good: measured[turn - 1]?.streams ?? 0, bad: measured[turn]?.streams ?? 0 };
        expect(measured.length - turn - 1, what).toBeLessThanOrEqual(mostBisections(before));
        expect(new Set(numbers(measured)).size, what).toBe(measured.length);
        expect(Math.min(...numbers(measured.filter(({ outcome }) => outcome === 'bad'))), what).toBe(
          capacity + 1,
        );
      }
    }
  },
);

test('neighbours need no bisection', () => {
  expect(bisect({ good: 3, bad: 4 })).toBeNull();
  expect(bisect({ good: 0, bad: 1 })).toBeNull();
  expect(bisect({ good: 0, bad: 2 })).toBe(1);
  expect(mostBisections({ good: 0, bad: 64 })).toBe(6);
});

test.each([
  [{}, 3],
  [{ start: 2, step: 3, maxStreams: 9 }, 9],
  [{ start: 9, maxStreams: 4 }, 9],
  [{ start: 2, step: 4, maxStreams: 16, refine: true }, 7],
  [{ start: 8, step: 8, maxStreams: 16, refine: true }, 0],
  [{ step: 5, maxStreams: 40, refine: true }, 28],
])('%j with %i carried: no more numbers come than were reckoned with', (change, capacity) => {
  const ramp = { ...plan, ...change };
  const measured = runRamp(ramp, capacity, false);
  const left = measured.map(({ streams }, at) => mostNumbersAfter(ramp, measured.slice(0, at), streams));
  let before = mostNumbersAfter(ramp, [], 0);
  for (const [at, after] of left.entries()) {
    expect(after).toBeLessThan(before);
    expect(after).toBeGreaterThanOrEqual(measured.length - at - 1);
    before = after;
  }
});
