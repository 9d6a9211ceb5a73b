import { expect, test } from 'vitest';
import { lostFramesOf } from '../../protocol/lost-frames';
import { changedRow, exampleRow } from '../../testing/example-run';
import { isWhole } from './measured-row';

const clean = changedRow(exampleRow(1), {
  verdict: 'PASS',
  figures: {
    ...{ framesSenderMissed: 0, framesDropped: 0, framesUndecodable: 0, framesUndecodableUnmatched: 0 },
    ...{ framesTorn: 0, framesDamaged: 0 },
  },
});

function rowWith(figures: Record<string, number | null>) {
  return changedRow(clean, { figures });
}

test('a frame that never came is lost, and one that came torn, damaged or without a code', () => {
  expect(lostFramesOf(clean)).toBe(0);
  const lost = { framesDropped: 1, framesUndecodable: 2, framesUndecodableUnmatched: 3 };
  expect(lostFramesOf(rowWith({ ...lost, framesTorn: 4, framesDamaged: 5 }))).toBe(15);
  expect(lostFramesOf(rowWith({ framesTorn: 4, framesDropped: null, framesMissing: 2 }))).toBe(6);
  expect(lostFramesOf(rowWith({ framesDropped: null, framesMissing: null }))).toBeNull();
  expect(lostFramesOf(rowWith({ framesTorn: null }))).toBeNull();
});

test('a row with a torn or damaged frame did not carry all of its load', () => {
  expect(isWhole(clean)).toBe(true);
  expect(isWhole(rowWith({ framesTorn: 1 }))).toBe(false);
  expect(isWhole(rowWith({ framesDamaged: 1 }))).toBe(false);
});
