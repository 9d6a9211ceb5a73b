import { expect, test } from 'vitest';
import { CorrectedCounts } from './corrected-counts';

function follow(figures: readonly (number | null)[], counting = {}): unknown[] {
  const counts = new CorrectedCounts();
  return figures.map((figure) => {
    counts.begin(counting);
    return counts.note('a', figure);
  });
}

test('a figure that falls takes nothing back from what was counted: their difference is the figure', () => {
  expect(follow([0, 5, 4, 4, 7])).toEqual([
    { counted: 0, corrected: 0, figure: 0 },
    { counted: 5, corrected: 0, figure: 5 },
    { counted: 5, corrected: 1, figure: 4 },
    { counted: 5, corrected: 1, figure: 4 },
    { counted: 8, corrected: 1, figure: 7 },
  ]);
});

test('a figure that is not measured for a while is absent, and goes on from where it was', () => {
  expect(follow([5, null, 6])).toEqual([
    { counted: 5, corrected: 0, figure: 5 },
    null,
    { counted: 6, corrected: 0, figure: 6 },
  ]);
});

test('figures that begin anew are counted anew, and so is one that was gone', () => {
  const counts = new CorrectedCounts();
  const run = {};
  counts.begin(run);
  counts.note('a', 5);
  counts.begin({});
  expect(counts.note('a', 2)).toEqual({ counted: 2, corrected: 0, figure: 2 });
  counts.begin({});
  const other = {};
  counts.begin(other);
  counts.note('a', 9);
  counts.begin(other);
  counts.begin(other);
  expect(counts.note('a', 1)).toEqual({ counted: 1, corrected: 0, figure: 1 });
});
