import { expect, test } from 'vitest';
import { coversOf } from './covers';

/** Columns side by side, the first of them this far from the table's left edge. */
const columns = (from: number, ...widths: number[]) =>
  widths.map((width, index) => {
    const left = widths.slice(0, index).reduce((sum, one) => sum + one, from);
    return { left, right: left + width };
  });

test('columns that fit are not covered', () => {
  expect(coversOf(columns(100, 50, 60, 70), { left: 100, right: 280 })).toEqual({
    ...{ leftPx: 0, rightPx: 0, moreLeft: 0, moreRight: 0 },
  });
  expect(coversOf(columns(100, 50, 60.4), { left: 100, right: 210 })).toEqual({
    leftPx: 0,
    rightPx: 0,
    moreLeft: 0,
    moreRight: 0,
  });
});

test('of a column that does not fit whole no part is shown, and all of those before it', () => {
  expect(coversOf(columns(100, 50, 60, 70), { left: 100, right: 240 })).toEqual({
    leftPx: 0,
    rightPx: 30,
    moreLeft: 0,
    moreRight: 1,
  });
  expect(coversOf(columns(100, 50, 60, 70), { left: 100, right: 210 })).toEqual({
    leftPx: 0,
    rightPx: 0,
    moreLeft: 0,
    moreRight: 1,
  });
});

test('the same at the left of figures that were scrolled', () => {
  expect(coversOf(columns(80, 50, 60, 70), { left: 100, right: 260 })).toEqual({
    leftPx: 30,
    rightPx: 0,
    moreLeft: 1,
    moreRight: 0,
  });
  expect(coversOf(columns(80, 50, 60, 70), { left: 100, right: 250 })).toEqual({
    leftPx: 30,
    rightPx: 60,
    moreLeft: 1,
    moreRight: 1,
  });
});

test('columns that were scrolled away whole are counted too', () => {
  expect(coversOf(columns(-10, 50, 60, 70, 80), { left: 100, right: 240 })).toEqual({
    leftPx: 0,
    rightPx: 70,
    moreLeft: 2,
    moreRight: 1,
  });
});

test('a column wider than the room is covered whole', () => {
  expect(coversOf(columns(90, 200), { left: 100, right: 250 })).toEqual({
    leftPx: 150,
    rightPx: 150,
    moreLeft: 1,
    moreRight: 1,
  });
});
