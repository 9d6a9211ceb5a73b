import { expect, test } from 'vitest';
import type { Fact, FactData } from './fact';
import { reasonCodes, reasonOf, wordsOf } from './reason-words';

test('findings are worded one after the other, with stream, rule and time', () => {
  const lost = { transport: 2, isAttributed: true, submitted: 600, stream: 'Left' };
  const rule = { rule: 'most-lost', mostFrames: 1, windowSeconds: 2 };
  const broken = { brokenFrom: '2026-11-21T10:00:05.500Z', brokenTo: '2026-11-21T10:00:09.500Z' };
  const late = { disk: 1, rateMBps: 40, neededMBps: 155, stream: 'Left' };
  const measured = { measuredFrom: '2026-11-21T10:00:00.000Z', measuredTo: '2026-11-21T10:00:10.000Z' };
  expect(
    wordsOf([
      reasonOf('frames-lost', { ...lost, ...rule, ...broken }),
      reasonOf('pictures-late', late),
      reasonOf('streams-not-passed', { failed: 2, streams: 3, lost: 2, missed: 0, stalls: 1, ...measured }),
    ]),
  ).toBe(
    'Left: 2 frames dropped in transport of 600 (rule: at most 1 frame lost in any 2 s; the worst time was from 10:00:05.500 to ' +
      '10:00:09.500 UTC); 1 picture came late from the disk (40 MB/s of 155 MB/s needed); ' +
      '2 of 3 streams did not pass: 2 frames lost, 1 stall (measured from 10:00:00.000 to 10:00:10.000 UTC)',
  );
});

test('what a newer version recorded is its code, and its rule that rule’s', () => {
  const newer: Fact = { code: 'clock-drifted', data: { rule: 'no-drift' } };
  expect(wordsOf([newer, { code: 'text', data: { text: 'a sentence' } }])).toBe(
    'clock-drifted (rule: no-drift); a sentence',
  );
});

test.each(['__proto__', 'constructor', 'toString'])('%s is a code like any other', (code) => {
  expect(wordsOf([{ code, data: { rule: code } }])).toBe(`${code} (rule: ${code})`);
});

test.each(reasonCodes)('%s has words without its data too, as a file may hold it', (code) => {
  const holed: FactData[] = [{}, { frames: null, stream: null, rule: 5, brokenFrom: 1 }];
  for (const data of holed) {
    const text = wordsOf([{ code, data }]);
    expect(text).not.toMatch(/undefined|NaN|null|Infinity/);
  }
});
