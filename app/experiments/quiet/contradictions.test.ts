import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { quietContradictions } from './contradictions';
import type { MachineUse } from './machine-watch';
import { quietRow } from './quiet-rows.fixture';
import type { WakeUps } from './wake-ups';

const wakeUps: WakeUps = {
  ...{ wakeUps: 599, overslept: 1, late: 1, p99Ms: 1, longestMs: 9 },
  figures: {
    ...{ 'quiet.wakeUpLatenessMs.p50': 0.1, 'quiet.wakeUpLatenessMs.p99': 1 },
    ...{ 'quiet.wakeUpLatenessMs.p999': 8, 'quiet.wakeUpLatenessMs.max': 9 },
  },
};
const use: MachineUse = {
  ...{ othersPercent: 40, cores: 2, interruptsPerSecond: null, contextSwitchesPerSecond: null },
  programs: [
    { name: 'a', percent: 30, processIds: [7] },
    { name: 'b', percent: 12, processIds: [7] },
  ],
  ...{ frequencyMhz: 2400, slowestFrequencyMhz: 800, throttles: null },
};

const said = (
  changes: Partial<WakeUps>,
  ofUse: Partial<MachineUse> = {},
  stolen: number | null = 1,
): string => wordsOf(quietContradictions({ ...wakeUps, ...changes }, { ...use, ...ofUse }, stolen));

test('a good row has none, and neither has what was not measured', () => {
  expect(said({})).toBe('');
  const unknown = { othersPercent: null, programs: null, frequencyMhz: null, slowestFrequencyMhz: null };
  expect(quietContradictions(null, { ...use, ...unknown }, null)).toEqual([]);
});

test.each<[string, string]>([
  [said({ late: 600 }), '(wake-ups): 600 late, 599 in all'],
  [said({ overslept: -2 }), '(wake-ups): 599 in all, 597 slots'],
  [
    said({ figures: { ...wakeUps.figures, 'quiet.wakeUpLatenessMs.p999': 0.5 } }),
    '(lateness): 1 ms p99, 0.5 ms p999',
  ],
  [said({}, { othersPercent: 130 }), '(CPU): 130 % by other programs, 100 % in all cores'],
  [
    said({}, { programs: [{ name: 'a', percent: 170, processIds: [7] }] }),
    '(CPU): 170 % by the programs together',
  ],
  [said({}, {}, 120), '(stolen time): 120 % stolen, 100 % in all cores'],
  [said({}, { slowestFrequencyMhz: 3000 }), '3000 MHz at the slowest, 2400 MHz on average'],
])('%s', (text, words) => {
  expect(text).toContain(words);
});

test('a row with one is INVALID', () => {
  const { verdict, reason } = quietRow(0, 60, {}, { use: { ...use, othersPercent: 130 } });
  expect(verdict).toBe('INVALID');
  expect(wordsOf(reason)).toMatch(
    /^other programs took 130\.0 % of the CPU .*, not judged: the figures contradict each other \(CPU\)/,
  );
});
