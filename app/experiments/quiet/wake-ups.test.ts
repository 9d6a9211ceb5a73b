import { expect, test } from 'vitest';
import { histogramSchema } from '../../facts/distribution';
import type { WakeUpRecords } from '../../protocol/processor';
import { wakeUpsOf } from './wake-ups';

/** Slot → lateness in ms. */
function recordsOf(
  wakeUps: readonly [slot: number, lateMs: number][],
): Pick<WakeUpRecords, 'slot' | 'latenessNs'> {
  return {
    slot: Uint32Array.from(wakeUps.map(([slot]) => slot)),
    latenessNs: Float64Array.from(wakeUps.map(([, lateMs]) => lateMs * 1e6)),
  };
}

test('lateness is a distribution, a histogram, and the worst of each 100 ms', () => {
  // 100 Hz: ten slots in each 100 ms. Slots 13 and 14 passed while the thread slept on.
  const wakeUps = Array.from({ length: 30 }, (_, slot): [number, number] => [slot, 0.05]).filter(
    ([slot]) => slot !== 13 && slot !== 14,
  );
  const found = wakeUpsOf(recordsOf(wakeUps.map(([slot, ms]) => [slot, slot === 12 ? 24.5 : ms])), 100, 30);
  expect(found).toMatchObject({ wakeUps: 28, late: 1 });
  expect(found?.longestMs).toBeCloseTo(24.5, 1);
  expect(found?.figures).toMatchObject({
    'quiet.wakeUps': 28,
    'quiet.wakeUpsLate': 1,
    'quiet.slotsOverslept': 2,
    'quiet.worstLatenessMs': {
      points: [
        [0, 0.05],
        [0.1, 24.5],
        [0.2, 0.05],
      ],
    },
  });
  expect(found?.figures['quiet.wakeUpLatenessMs.p50']).toBeCloseTo(0.05, 3);
  // Of 30 slots it would be the largest.
  expect(found?.figures['quiet.wakeUpLatenessMs.p999']).toBeNull();
  expect(found?.figures['quiet.wakeUpLatenessMs.histogram']).toMatchObject({ firstBin: 84 });
});

test.each([
  [8.3, 0],
  [8.4, 1],
])('a wake-up %s ms late counts as %s late ones: half a frame at 60 fps is the limit', (lateMs, late) => {
  expect(wakeUpsOf(recordsOf([[0, lateMs]]), 60, 1)).toMatchObject({ late, wakeUps: 1 });
});

test('a slot at the edge of 100 ms belongs to those that follow, and 100 ms without a wake-up have no point', () => {
  const rows = wakeUpsOf(
    recordsOf([
      [5, 1],
      [6, 2],
      [30, 3],
    ]),
    60,
    31,
  );
  expect(rows?.figures['quiet.worstLatenessMs']).toEqual({
    points: [
      [0, 1],
      [0.1, 2],
      [0.5, 3],
    ],
  });
});

test('slots that passed in a sleep are as late as the wake-up that ended it', () => {
  // 1000 Hz: the wake-up of slot 10 came 4.5 ms late, so that 11 to 14 passed, 3.5, 2.5, 1.5 and 0.5 ms before.
  const found = wakeUpsOf(
    recordsOf([...Array(10).keys(), 10, 15].map((slot) => [slot, slot === 10 ? 4.5 : 0.1])),
    1000,
    16,
  );
  expect(found).toMatchObject({ wakeUps: 12, overslept: 4 });
  const { counts } = histogramSchema.parse(found?.figures['quiet.wakeUpLatenessMs.histogram']);
  expect(counts.reduce((sum, count) => sum + count)).toBe(16);
  expect(counts.filter((count) => count > 0)).toEqual([11, 1, 1, 1, 1, 1]);
});

test('a thread that never woke has no figures', () => {
  expect(wakeUpsOf(recordsOf([]), 60, 5)).toBeNull();
});
