import { expect, test } from 'vitest';
import type { Verdict } from '../../../facts/verdict';
import { sentence } from '../../../testing/sentence';
import { withProvedRows } from './proved-strips';

const rows = (...verdicts: Verdict[]) =>
  verdicts.map((verdict, index) => ({
    index,
    subjects: [
      { id: '7', verdict: 'PASS' as const, reason: [] },
      { id: '8', verdict, reason: sentence('3 frames dropped') },
    ],
  }));

test.each<[string, Verdict, Verdict[], Verdict, string]>([
  ['a row that FAILs stands', 'INVALID', ['PASS', 'FAIL'], 'FAIL', 'row 1: 3 frames dropped'],
  ['rows that prove nothing leave the strip as it is', 'INVALID', ['WARN', 'INVALID'], 'INVALID', 'own'],
  ['a strip that passes is of its own counts', 'PASS', ['FAIL'], 'PASS', 'own'],
])('%s', (_, verdict, verdicts, shown, reason) => {
  const views = [7, 8].map((id) => ({ id, verdict, reason: 'own' }));
  const [other, own] = withProvedRows(views, rows(...verdicts));
  expect(own).toEqual({ id: 8, verdict: shown, reason });
  // The row of another stream says nothing of this one.
  expect(other).toEqual({ id: 7, verdict, reason: 'own' });
});
