import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import type { StreamsRow } from '../../facts/stream-row';
import type { Verdict } from '../../facts/verdict';
import { changedRow, exampleRow } from '../../testing/example-run';
import { codecQualityVerdict, withoutPairs } from './verdict';

function row(label: string, psnr: number | string | null, verdict: Verdict = 'PASS'): StreamsRow {
  const figures = { 'quality.worstPsnrYDb': psnr, 'quality.worstSsimY': 0.9 };
  return changedRow(exampleRow(1), { label, verdict, reason: `reason of ${label}`, figures });
}

const baseline = changedRow(exampleRow(0), { streams: 0, verdict: 'PASS', reason: '' });

test.each<[StreamsRow[], number, number | undefined, Verdict, RegExp]>([
  [
    [row('a', 40), row('b', 30)],
    2,
    undefined,
    'PASS',
    /^b lost most: luma of its worst frame has 30\.0 dB, SSIM 0\.900$/,
  ],
  [[row('a', 'exact')], 1, 50, 'PASS', /^a lost most: nothing, every compared frame came as it was sent$/],
  [[row('a', 'exact'), row('b', 60)], 2, undefined, 'PASS', /^b lost most/],
  [[row('a', 30)], 1, 35, 'FAIL', /below the limit of 35 dB/],
  [[row('a', 40), row('b', 45, 'WARN')], 2, undefined, 'WARN', /^a lost most.+; b: reason of b$/],
  [[row('a', 40), row('b', null, 'INVALID')], 2, undefined, 'INVALID', /^a lost most.+; b: reason of b$/],
  [
    [row('a', 40, 'WARN'), row('b', 45, 'FAIL')],
    2,
    undefined,
    'FAIL',
    /; b: reason of b; 1 other row was WARN$/,
  ],
  [[row('a', 30, 'WARN')], 1, 35, 'FAIL', /below the limit of 35 dB; a: reason of a$/],
  [[row('a', 40)], 2, undefined, 'FAIL', /1 of 2 rows were measured/],
  [[], 2, undefined, 'FAIL', /^nothing was compared; 0 of 2 rows/],
])('case %#: the verdict and its one sentence', (rows, cases, least, verdict, reason) => {
  const outcome = codecQualityVerdict([baseline, ...rows], cases, least);
  expect(outcome.verdict).toBe(verdict);
  expect(outcome.reason).toMatch(reason);
});

test('a row in which nothing was compared is INVALID and says why', () => {
  const full = withoutPairs(row('a', null), 'the disk is full');
  expect(full.verdict).toBe('INVALID');
  expect(wordsOf(full.reason)).toBe('no frame could be compared: the disk is full');
  expect(wordsOf(withoutPairs(row('a', null, 'INVALID'), 'x').reason)).toBe(
    'no frame could be compared: x; reason of a',
  );
});
