import { expect, test } from 'vitest';
import { lostFramesOf } from '../../protocol/lost-frames';
import { exampleRow } from '../../testing/example-run';
import { isWhole } from './measured-row';

const clean = {
  ...exampleRow(1),
  ...{ framesSenderMissed: 0, framesDropped: 0, framesUndecodable: 0, framesUndecodableUnmatched: 0 },
  ...{ framesTorn: 0, framesDamaged: 0, verdict: 'PASS' as const },
};

test('a frame that never came is lost, and one that came torn, damaged or without a code', () => {
  expect(lostFramesOf(clean)).toBe(0);
  const lost = { framesDropped: 1, framesUndecodable: 2, framesUndecodableUnmatched: 3 };
  expect(lostFramesOf({ ...clean, ...lost, framesTorn: 4, framesDamaged: 5 })).toBe(15);
  expect(lostFramesOf({ ...clean, framesTorn: 4, framesDropped: null, framesMissing: 2 })).toBe(6);
  expect(lostFramesOf({ ...clean, framesDropped: null, framesMissing: null })).toBeNull();
  expect(lostFramesOf({ ...clean, framesTorn: null })).toBeNull();
});

test('a row with a torn or damaged frame did not carry all of its load', () => {
  expect(isWhole(clean)).toBe(true);
  expect(isWhole({ ...clean, framesTorn: 1 })).toBe(false);
  expect(isWhole({ ...clean, framesDamaged: 1 })).toBe(false);
});
