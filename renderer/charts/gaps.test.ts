import { expect, test } from 'vitest';
import { unbroken, withGaps } from './gaps';
import { SampleRing } from './sample-ring';

test('no line joins samples with a pause between them', () => {
  const drawn = withGaps(
    [
      [0, 0.5, 1, 61, 61.5],
      [1, 2, 3, 4, 5],
      [6, null, 7, 8, 9],
    ],
    2,
  );
  expect(drawn).toEqual([
    [0, 0.5, 1, 1.5, 60.5, 61, 61.5],
    [1, 2, 3, null, null, 4, 5],
    [6, null, 7, null, null, 8, 9],
  ]);
});

test('samples at their pace stay as they are', () => {
  const drawn: [number[], number[]] = [
    [0, 2, 4],
    [1, 2, 3],
  ];
  expect(withGaps(drawn, 2)).toBe(drawn);
  expect(withGaps([[], []], 2)).toEqual([[], []]);
});

test('a ring draws the pause of an engine that was gone as a gap, also at the edge of a window', () => {
  const ring = new SampleRing(1, 100, 2);
  for (const time of [1, 1.5, 2, 40, 40.5]) ring.push(time, [time]);
  expect(ring.window(0, 100)[1]).toEqual([1, 1.5, 2, null, null, 40, 40.5]);
  expect(ring.window(30, 41)).toEqual([
    [2, 2.5, 39.5, 40, 40.5],
    [2, null, null, 40, 40.5],
  ]);
});

test('a figure that is missing, and a row that is, part a line over rows', () => {
  const indices = (runs: { index: number }[][]): number[][] =>
    runs.map((run) => run.map(({ index }) => index));
  expect(indices(unbroken([1, 2, null, 4, 5]))).toEqual([
    [0, 1],
    [3, 4],
  ]);
  expect(indices(unbroken([null, 2, 3], (index) => index === 2))).toEqual([[1], [2]]);
});
