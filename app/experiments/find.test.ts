import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRun } from '../engine/sessions/read-run';
import { recordedRuns, recordedRunsFolder } from '../testing/recorded-runs';
import { declarations } from './declarations';
import { expectedSecondsOf } from './find';

test('how long a run takes follows from its parameters; where it cannot, nothing is said', () => {
  expect(expectedSecondsOf('storage', { repeats: 2, holdSeconds: 3, tests: ['SEQ1M-Q1T1'] })).toBe(12);
  expect(expectedSecondsOf('link', { protocols: ['tcp'], repeats: 5, holdSeconds: 9 })).toBe(100);
  expect(expectedSecondsOf('stream-load', { maxStreams: 2, holdSeconds: 10, warmUpSeconds: 2 })).toBe(37);
  expect(expectedSecondsOf('storage', { repeats: 'two' })).toBeNull();
  expect(expectedSecondsOf('codec-quality', {})).toBeNull();
  const quality = { sources: ['white-line', 'noise'], crops: ['330x198', '640x360'] };
  expect(expectedSecondsOf('codec-quality', { ...quality, holdSeconds: 10, warmUpSeconds: 2 })).toBe(96);
  expect(expectedSecondsOf('unknown', {})).toBeNull();
});

test('every recorded run took between two fifths and five thirds of what was expected of it', () => {
  const runs = recordedRuns().map((name) => readRun(join(recordedRunsFolder, name)));
  const shares = runs.flatMap(({ experiment, parameters, startedAt, endedAt }) => {
    const expected = expectedSecondsOf(experiment, parameters);
    if (expected === null || endedAt === null) return [];
    return [{ experiment, share: (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 / expected }];
  });
  expect(new Set(shares.map(({ experiment }) => experiment)).size).toBe(declarations.length);
  expect(shares.filter(({ share }) => share < 2 / 5 || share > 5 / 3)).toEqual([]);
});

test('an experiment whose time may not be known says why', () => {
  const unknown = { 'codec-quality': {}, link: { rates: ['ndi'] } };
  for (const [id, parameters] of Object.entries(unknown)) {
    expect(expectedSecondsOf(id, parameters)).toBeNull();
    expect(declarations.find((declaration) => declaration.id === id)?.whyUnknownSeconds).toMatch(
      /^[a-z].+[^.]$/,
    );
  }
  for (const { id, parameters, whyUnknownSeconds } of declarations)
    if (whyUnknownSeconds === undefined)
      expect(expectedSecondsOf(id, parameters.parse({})), id).not.toBeNull();
});
