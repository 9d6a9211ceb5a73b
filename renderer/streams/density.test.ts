import { expect, test } from 'vitest';
import { columnsFor, densityOf, previewWidthFor } from './density';

test.each([
  [1, 'strips'],
  [4, 'strips'],
  [5, 'rows'],
  [12, 'rows'],
  [13, 'grid'],
  [32, 'grid'],
] as const)('%i streams are shown as %s, unless another way is chosen', (streams, expected) => {
  expect(densityOf('auto', streams, null)).toBe(expected);
  for (const choice of ['strips', 'rows', 'grid', 'pictures'] as const)
    expect(densityOf(choice, streams, null)).toBe(choice);
});

test.each([
  ['1280×720', { width: 831, height: 219, remPx: 14.12 }, ['strips', 'strips', 'rows', 'rows']],
  ['1600×1000', { width: 889, height: 357, remPx: 15.4 }, ['strips', 'strips', 'strips', 'rows']],
  ['a high window', { width: 889, height: 500, remPx: 15.4 }, ['strips', 'strips', 'strips', 'strips']],
  ['two strips in a line', { width: 3200, height: 400, remPx: 24 }, ['strips', 'strips', 'strips', 'strips']],
  ['hardly any room', { width: 800, height: 40, remPx: 14 }, ['strips', 'rows', 'rows', 'rows']],
])('in %s strips are shown where all of them fit', (_, room, expected) => {
  expect([1, 2, 3, 4].map((streams) => densityOf('auto', streams, room))).toEqual(expected);
  expect(densityOf('strips', 4, room)).toBe('strips');
});

test.each([
  [1, 1280, 720, 1],
  [2, 1280, 720, 2],
  [2, 1280, 900, 1],
  [2, 1600, 500, 2],
  [3, 1280, 720, 2],
  [4, 1280, 720, 2],
  [9, 1280, 720, 3],
  [16, 1280, 720, 4],
  [32, 1600, 900, 6],
])('%i pictures in %i × %i stand in %i columns', (tiles, width, height, columns) => {
  expect(columnsFor(tiles, { width, height }, { aspect: 1.6, leastWidth: 170 })).toBe(columns);
});

test('there is a column before the size is known, and in a window that is too narrow', () => {
  const shape = { aspect: 1.6, leastWidth: 170 };
  expect(columnsFor(4, { width: 0, height: 0 }, shape)).toBe(1);
  expect(columnsFor(4, { width: 100, height: 900 }, shape)).toBe(1);
  expect(columnsFor(16, { width: 400, height: 300 }, shape)).toBe(2);
});

test('many pictures together cost no more than a few', () => {
  expect([1, 4, 9, 16, 32].map(previewWidthFor)).toEqual([1280, 752, 496, 368, 256]);
  for (let streams = 1; streams <= 64; streams++) {
    const width = previewWidthFor(streams);
    expect(streams * width * width * (9 / 16)).toBeLessThanOrEqual(1.3e6);
  }
});
