import { expect, test } from 'vitest';
import { rowOf } from '../testing/fixtures';
import { foreignRows, lossRows, rowsOfOldVersion } from '../testing/trouble';
import { explainedOf, lossesOf } from './losses';

test('losses of all streams stand in the order of time, with row and stream', () => {
  const [, , , row = rowOf(0)] = lossRows;
  const losses = lossesOf(row) ?? [];
  expect(losses.map(({ firstFrame, streamId, frames }) => [firstFrame, streamId, frames])).toEqual([
    [960, '1', 31],
    [960, '2', 4],
    [961, '3', 1],
    [1212, '1', 12],
    [1300, '2', 3],
    [1374, '3', 2],
  ]);
  expect(losses.every((loss) => loss.row === row.index)).toBe(true);
});

test('a row without loss has an empty list, and one of an older version none at all', () => {
  expect(lossesOf(rowOf(2))).toEqual([]);
  expect(rowsOfOldVersion.slice(1).map(lossesOf)).toEqual([null, null]);
});

test('explained frames are compared with those counted, by whatever method', () => {
  expect(lossRows.map(explainedOf)).toEqual([
    { explained: 0, counted: 0 },
    { explained: 0, counted: 0 },
    { explained: 2, counted: 2 },
    { explained: 53, counted: 53 },
  ]);
  expect(explainedOf(foreignRows[1] ?? rowOf(0))).toEqual({ explained: 1, counted: 1 });
  const torn = rowOf(1);
  for (const { figures } of torn.subjects) Object.assign(figures, { framesTorn: 2, framesDamaged: 1 });
  expect(explainedOf(torn)).toEqual({ explained: 0, counted: 3 });
  const cut = rowOf(1);
  for (const { figures } of cut.subjects) figures.framesDropped = 1432;
  expect(explainedOf(cut)).toEqual({ explained: 0, counted: 1432 });
});

test('where losses were not counted, the reason is that of the method', () => {
  const notMeasured = { framesDropped: 'no record', framesMissing: 'no timestamps' };
  const row = rowOf(1);
  for (const stream of row.subjects) {
    stream.figures.framesDropped = null;
    stream.notMeasured = notMeasured;
  }
  expect(explainedOf(row)).toEqual({ explained: 0, counted: null, reason: 'no record' });
  for (const { figures } of row.subjects) figures.method = 'timestamps';
  expect(explainedOf(row)).toEqual({ explained: 0, counted: null, reason: 'no timestamps' });
});
