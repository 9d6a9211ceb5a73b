import { expect, test } from 'vitest';
import type { StreamsRow } from '../../../facts/stream-row';
import type { Verdict } from '../../../facts/verdict';
import { changedRow, exampleRow } from '../../../testing/example-run';
import { decidingRow, othersTexts, rowToReport, worstVerdictOf } from './deciding-row';

function rows(...verdicts: Verdict[]): StreamsRow[] {
  return verdicts.map((verdict, index) =>
    changedRow(exampleRow(index), { verdict, figures: { framesLateSource: 0 } }),
  );
}

test.each<[Verdict[], Verdict, number | undefined]>([
  [['PASS', 'INVALID', 'FAIL'], 'FAIL', 2],
  [['WARN', 'PASS', 'INVALID'], 'INVALID', 2],
  [['PASS', 'WARN', 'FAIL', 'FAIL'], 'FAIL', 2],
  [['WARN', 'PASS'], 'WARN', 0],
  [['PASS', 'PASS'], 'PASS', undefined],
  [[], 'PASS', undefined],
])('of %j the verdict is %s, and the row that decides is number %s', (verdicts, worst, index) => {
  const all = rows(...verdicts);
  expect(worstVerdictOf(all)).toBe(worst);
  expect(decidingRow(all)?.index).toBe(index);
  expect(rowToReport(all)?.index).toBe(index);
});

test('where all pass, the first row whose pictures came late has something to say', () => {
  const [baseline, one, two] = rows('PASS', 'PASS', 'PASS') as [StreamsRow, StreamsRow, StreamsRow];
  const late = changedRow(two, { figures: { framesLateSource: 3 } });
  expect(rowToReport([baseline, one, late])).toBe(late);
  expect(rowToReport([...rows('PASS', 'WARN'), late])?.verdict).toBe('WARN');
});

test('rows that are not given and did not pass are counted by their verdict, the worst first', () => {
  const all = rows('PASS', 'WARN', 'FAIL', 'INVALID', 'FAIL');
  expect(othersTexts(all, ...all.slice(3, 4))).toEqual(['3 other rows were not PASS (2 FAIL, 1 WARN)']);
  expect(othersTexts(rows('INVALID'), ...[])).toEqual(['1 other row was INVALID']);
  expect(othersTexts(rows('PASS', 'PASS'))).toEqual([]);
});
