import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { madeUpScaleRows } from './scale-rows.fixture';
import { nmosScaleVerdict } from './verdict';

test('a few rows that pass give their reasons, many their names, and a worse row its own reason', () => {
  const rows = madeUpScaleRows().map((row) => ({ ...row, verdict: 'PASS' as const }));
  const [first, ...others] = rows;
  if (!first) throw new Error('There is no row');
  expect(nmosScaleVerdict([first]).reason).toBe(`${first.label}: ${wordsOf(first.reason)}`);
  const labels = rows.map(({ label }) => label).join(', ');
  expect(nmosScaleVerdict(rows)).toEqual({
    ...{ verdict: 'PASS', reason: `all ${rows.length} rows passed: ${labels}` },
  });
  const worse = nmosScaleVerdict([{ ...first, verdict: 'FAIL' }, ...others]);
  expect(worse.verdict).toBe('FAIL');
  expect(worse.reason).toContain(wordsOf(first.reason));
  expect(nmosScaleVerdict([])).toMatchObject({ verdict: 'INVALID' });
});
