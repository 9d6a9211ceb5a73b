import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseFaults } from '../../protocol/faults';
import { faultVerbs } from '../../protocol/records';
import { range } from '../../testing/columns';
import { checkFaults, expectedFrames, faultFigures, leastMissed, lostRange } from './expected-counts';

const rate = { numerator: 60, denominator: 1 };
const whole =
  'miss:10-12; skip:100-104; repeat:200; swap:300,301; tear:400; ' +
  'tear-middle:410; stale-band:420-421; green:430; swap-chroma:440; dim:450; shrink:460; mislabel:470; ' +
  'damage-top:500; damage-bottom:510; delay:600,50ms; black:700-710; stall:800-860';

test('each verb moves its own figure, by its own frames', () => {
  const faults = parseFaults(whole);
  checkFaults(faults, rate);
  const { frames, stalls, derived } = expectedFrames(faults, rate);
  expect(frames).toEqual({
    framesSenderMissed: range(10, 12),
    framesDropped: range(100, 104),
    framesDuplicated: [200],
    framesReordered: [300],
    framesTorn: [400, 410],
    framesStale: [420, 421],
    framesDiscoloured: [430, 440],
    framesDimmed: [450],
    framesWrongSize: [460],
    framesMislabelled: [470],
    framesDamaged: [500, 510],
    framesUndecodable: range(700, 710),
  });
  expect(stalls).toBe(1);
  expect(derived.map(({ verb }) => verb)).toEqual(['delay', 'stall']);
});

test('a long skip is a stall too; a long miss and long black are none', () => {
  const stallsOf = (text: string): number => expectedFrames(parseFaults(text), rate).stalls;
  expect(stallsOf('skip:0-31')).toBe(1);
  expect(stallsOf('skip:0-26')).toBe(0);
  expect(stallsOf('miss:0-99')).toBe(0);
  expect(stallsOf('black:0-99')).toBe(0);
  expect(stallsOf('stall:0-26; stall:100-160')).toBe(1);
  expect(stallsOf('delay:0,450ms; delay:100,600ms')).toBe(1);
});

test('a delay costs the slots that fall into the call, and no others', () => {
  const [delay] = parseFaults('delay:600,50ms');
  if (!delay) throw new Error('no fault');
  expect(lostRange(delay, rate)).toEqual({ first: 601, last: 604 });
  expect(leastMissed(delay, rate)).toBe(2);
  expect(leastMissed({ ...delay, delayMs: 10 }, rate)).toBe(0);
  expect(leastMissed({ ...delay, delayMs: 2000 }, { numerator: 24000, denominator: 1001 })).toBe(46);
});

test.each([
  ['skip:100-104; miss:105', /clean frame between them for inject but received skip:100-104; miss:105/, 106],
  ['tear:7; skip:3-9', /clean frame between them for inject but received skip:3-9; tear:7/, 11],
  ['swap:300,301; skip:301', /nothing else on its two frames or between them .+ swap:300,301; skip:301/, 303],
  ['swap:300,305; tear:302', /nothing else on its two frames or between them/, 307],
  ['delay:600,50ms; skip:603', /\(delay:600,50ms reaches to 604 at this rate\)/, 606],
  ['stall:800-860; skip:861', /\(stall:800-860 reaches to 876 at this rate\)/, 878],
])('“%s” cannot be distinguished and is refused', (text, message, from) => {
  const refused = (): void => checkFaults(parseFaults(text), rate);
  expect(refused).toThrow(message);
  expect(refused).toThrow(
    expect.objectContaining({ remedy: expect.stringMatching(new RegExp(`to ${from} or later$`)) }),
  );
});

test('one clean frame between two faults is enough', () => {
  expect(() =>
    checkFaults(parseFaults('skip:100-104; miss:106; swap:108,109; delay:111,50ms; black:117'), rate),
  ).not.toThrow();
});

test.each(['skip:0-27', 'skip:0-30', 'stall:100-129', 'delay:0,500ms'])(
  '“%s” may or may not be a stall and is refused',
  (text) => {
    expect(() => checkFaults(parseFaults(text), rate)).toThrow(/shorter or longer than the 30 frames/);
    expect(() => checkFaults(parseFaults(text), rate)).toThrow(
      expect.objectContaining({ remedy: 'Use at most 27 frames or at least 32' }),
    );
  },
);

test('the lengths that the remedy names are accepted', () => {
  expect(() => checkFaults(parseFaults('skip:0-26; skip:100-131'), rate)).not.toThrow();
});

test('a delay as long as a stall is one frame’s: those behind it fall into the call', () => {
  expect(() => checkFaults(parseFaults('delay:5-6,600ms'), rate)).toThrow(
    expect.objectContaining({ remedy: 'Use delay:5,600ms' }),
  );
  expect(() => checkFaults(parseFaults('delay:5-6,60ms; delay:50,600ms'), rate)).not.toThrow();
});

test('a fault beyond the end of the row would not be counted and is refused', () => {
  expect(() => checkFaults(parseFaults('skip:58-59'), rate, 60)).not.toThrow();
  expect(() => checkFaults(parseFaults('skip:58-60'), rate, 60)).toThrow(/within the 60 frames of the row/);
  expect(() => checkFaults(parseFaults('delay:55,50ms'), rate, 60)).not.toThrow();
  expect(() => checkFaults(parseFaults('delay:56,50ms'), rate, 60)).toThrow(/reaches to 60/);
});

/** Rows of the table under “Injected faults”: the example in the first cell, its counts at 60 frames a second in the last. */
test('docs/measurement.md says of each verb what is expected of it', () => {
  const text = readFileSync('docs/measurement.md', 'utf8');
  const [, section = ''] = /\n## Injected faults\n([\s\S]*?)\n## /.exec(text) ?? [];
  const rows = [...section.matchAll(/^\| `([^`]+)` \|.*\| ([^|]+) \|$/gm)];
  expect(rows.map(([, example]) => example?.split(':')[0])).toEqual([...faultVerbs]);
  for (const [, example = '', counts = ''] of rows) {
    const reported = Object.fromEntries(
      [...counts.matchAll(/(\d+) `(\w+)`/g)].map(([, count, figure]) => [figure, Number(count)]),
    );
    const expected = expectedFrames(parseFaults(example), rate);
    const figures: Record<string, number> = { stalls: expected.stalls };
    for (const figure of faultFigures) figures[figure] = expected.frames[figure].length;
    for (const key of Object.keys(figures)) if (figures[key] === 0) delete figures[key];
    expect(reported, example).toEqual(figures);
    expect(/from the records/.test(counts), example).toBe(expected.derived.length > 0);
  }
});
