import { expect, test } from 'vitest';
import { reasonOf } from '../../../facts/reason-words';
import type { Verdict } from '../../../facts/verdict';
import { changedStream, exampleRow } from '../../../testing/example-run';
import { isClean, wasDisturbed } from './clean-row';

function rowOf(figures: Parameters<typeof changedStream>[1], verdict?: Verdict) {
  return changedStream(exampleRow(1), figures, verdict);
}

test('a row may be left out where nothing was lost, whatever the instrument says of itself', () => {
  expect(rowOf({}).subjects).not.toHaveLength(0);
  expect(isClean(rowOf({}))).toBe(true);
  expect(isClean(rowOf({}, 'INVALID'))).toBe(true);
  expect(isClean(rowOf({ framesSpoilt: 1 }))).toBe(false);
});

test('losses of a sender without our code that are not known are not none', () => {
  const foreign = { method: 'timestamps', framesDropped: null, framesScheduled: null } as const;
  expect(isClean(rowOf({ ...foreign, framesMissing: 0 }, 'PASS'))).toBe(true);
  expect(isClean(rowOf({ ...foreign, framesMissing: null }, 'WARN'))).toBe(false);
  expect(isClean(rowOf({ ...foreign, framesMissing: 0 }, 'FAIL'))).toBe(false);
});

test('a row whose instrument was disturbed says so by its reason, also where all frames came', () => {
  const row = exampleRow();
  expect(wasDisturbed(row)).toBe(false);
  const stolen = reasonOf('cpu-stolen', { percent: 7, limitPercent: 5 });
  expect(wasDisturbed({ ...row, reason: [...row.reason, stolen] })).toBe(true);
  // What our own processes took is known beside other programs too.
  const busy = reasonOf('others-busy', { percent: 60, limitPercent: 25 });
  expect(wasDisturbed({ ...row, reason: [...row.reason, busy] })).toBe(false);
});
