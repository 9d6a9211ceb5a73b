import { expect, test } from 'vitest';
import type { StreamRow } from '../../../protocol/version-1/row';
import { exampleRow } from '../../../testing/example-run';
import { isClean } from './clean-row';

function rowOf(change: Partial<StreamRow>) {
  const row = exampleRow(1);
  return { ...row, perStream: row.perStream.map((stream) => ({ ...stream, ...change })) };
}

test('a row may be left out where nothing was lost, whatever the instrument says of itself', () => {
  expect(rowOf({}).perStream).not.toHaveLength(0);
  expect(isClean(rowOf({}))).toBe(true);
  expect(isClean(rowOf({ verdict: 'INVALID' }))).toBe(true);
  expect(isClean(rowOf({ framesTorn: 1 }))).toBe(false);
});

test('losses of a sender without our code that are not known are not none', () => {
  const foreign = { method: 'timestamps', framesDropped: null, framesScheduled: null } as const;
  expect(isClean(rowOf({ ...foreign, framesMissing: 0, verdict: 'PASS' }))).toBe(true);
  expect(isClean(rowOf({ ...foreign, framesMissing: null, verdict: 'WARN' }))).toBe(false);
  expect(isClean(rowOf({ ...foreign, framesMissing: 0, verdict: 'FAIL' }))).toBe(false);
});
