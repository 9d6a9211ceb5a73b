import { expect, test } from 'vitest';
import {
  cellAt,
  clamped,
  cutInMiddle,
  moved,
  scrolledTo,
  shapeFor,
  sizeOf,
  visibleRanges,
} from './matrix-layout';

const shape = { rows: 2500, columns: 2500, cellPx: 20, headWidthPx: 200, headHeightPx: 100 };
const viewport = { widthPx: 600, heightPx: 500, scrollLeftPx: 0, scrollTopPx: 0 };
const scrolled = { ...viewport, scrollLeftPx: 10_010, scrollTopPx: 30 };

test('all of it can be scrolled to', () => {
  expect(sizeOf(shape)).toEqual({ widthPx: 50_200, heightPx: 50_100 });
});

test('rows and columns that are seen, in part too', () => {
  expect(visibleRanges(shape, viewport)).toEqual({ rows: { from: 0, to: 20 }, columns: { from: 0, to: 20 } });
  expect(visibleRanges(shape, scrolled)).toEqual({
    rows: { from: 1, to: 22 },
    columns: { from: 500, to: 521 },
  });
});

test('no more are seen than there are, and none where only labels have room', () => {
  const few = { ...shape, rows: 3, columns: 1 };
  expect(visibleRanges(few, viewport)).toEqual({ rows: { from: 0, to: 3 }, columns: { from: 0, to: 1 } });
  const narrow = { ...viewport, widthPx: 150 };
  expect(visibleRanges(shape, narrow).columns).toEqual({ from: 0, to: 0 });
  // What was there until a filter was typed may have been scrolled to.
  expect(visibleRanges(few, scrolled).columns).toEqual({ from: 1, to: 1 });
});

test.each([
  ['the first one', viewport, 200, 100, { row: 0, column: 0 }],
  ['its last pixel', viewport, 219.9, 119.9, { row: 0, column: 0 }],
  ['one that was scrolled to', scrolled, 215, 100, { row: 1, column: 501 }],
  ['the label of a row', viewport, 199, 300, null],
  ['the label of a column', viewport, 300, 99, null],
  ['beside the viewport', viewport, 600, 300, null],
])('the cell at a point: %s', (_name, place, x, y, cell) => {
  expect(cellAt(shape, place, x, y)).toEqual(cell);
});

test('there is no cell beside all cells', () => {
  expect(cellAt({ ...shape, rows: 3, columns: 1 }, viewport, 230, 110)).toBeNull();
  expect(cellAt({ ...shape, rows: 3, columns: 1 }, viewport, 210, 170)).toBeNull();
});

test('it is scrolled as far as a cell needs it, and not farther', () => {
  expect(scrolledTo(shape, viewport, { row: 5, column: 5 })).toEqual({ leftPx: 0, topPx: 0 });
  expect(scrolledTo(shape, viewport, { row: 20, column: 2499 })).toEqual({ leftPx: 49_600, topPx: 20 });
  expect(scrolledTo(shape, scrolled, { row: 0, column: 500 })).toEqual({ leftPx: 10_000, topPx: 0 });
});

test('keys move the cursor within the matrix', () => {
  const at = { row: 1, column: 2498 };
  const to = (key: string) => moved(shape, at, key, 19);
  expect(to('ArrowUp')).toEqual({ row: 0, column: 2498 });
  expect(to('ArrowDown')).toEqual({ row: 2, column: 2498 });
  expect(to('ArrowLeft')).toEqual({ row: 1, column: 2497 });
  expect(to('ArrowRight')).toEqual({ row: 1, column: 2499 });
  expect(to('PageUp')).toEqual({ row: 0, column: 2498 });
  expect(to('PageDown')).toEqual({ row: 20, column: 2498 });
  expect(to('End')).toEqual({ row: 1, column: 2499 });
  expect(to('Home')).toEqual({ row: 1, column: 0 });
  expect(to('a')).toBeNull();
  expect(clamped({ row: 8, column: 8 }, 3, 1)).toEqual({ row: 2, column: 0 });
});

const room = { rows: 100, columns: 100, widthPx: 1600, heightPx: 900, rootPx: 16 };

test('heads are as long as labels need, within limits', () => {
  const short = shapeFor({ ...room, longestRowPx: 20, longestColumnPx: 20 });
  expect(short).toMatchObject({ headWidthPx: 240, headHeightPx: 144, cellPx: 24 });
  const fitting = shapeFor({ ...room, longestRowPx: 300, longestColumnPx: 200 });
  expect(fitting).toMatchObject({ headWidthPx: 344, headHeightPx: 220 });
  const long = shapeFor({ ...room, longestRowPx: 9000, longestColumnPx: 9000 });
  expect(long).toMatchObject({ headWidthPx: 400, headHeightPx: 300 });
});

test('cells are larger where few are shown', () => {
  const few = { ...room, rows: 4, columns: 4, longestRowPx: 20, longestColumnPx: 20 };
  expect(shapeFor(few).cellPx).toBe(40);
  expect(shapeFor({ ...few, rows: 25 }).cellPx).toBe(30);
});

test('a label is cut in its middle, and keeps what differs', () => {
  const isFitting = (text: string): boolean => [...text].length <= 9;
  expect(cutInMiddle('Camera 1', isFitting)).toBe('Camera 1');
  expect(cutInMiddle('Gallery video sender 12', isFitting)).toBe('Gall…r 12');
  expect(cutInMiddle('😀😀😀😀😀😀😀😀😀😀', isFitting)).toBe('😀😀😀😀…😀😀😀😀');
  expect(cutInMiddle('text', () => false)).toBe('…');
});
