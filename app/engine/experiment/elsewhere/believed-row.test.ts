import { expect, test } from 'vitest';
import { preflight } from '../../../experiments/preflight/preflight';
import { quiet } from '../../../experiments/quiet/quiet';
import { storage } from '../../../experiments/storage/storage';
import type { Figures } from '../../../facts/figure';
import { wordsOf } from '../../../facts/reason-words';
import type { ClosedRow } from '../../../facts/row';
import type { Verdict } from '../../../facts/verdict';
import { defaultThresholds } from '../../../protocol/thresholds';
import type { Experiment } from '../experiment';
import { believedRow } from './believed-row';

const at = '2026-11-21T10:00:00.000Z';

function rowOf(verdict: Verdict, figures: Figures, step: ClosedRow['step'] = {}): ClosedRow {
  return {
    ...{ index: 0, step, label: 'one', from: at, to: at, figures: { measuredSeconds: 1, ...figures } },
    ...{ subjects: [], load: { aa: {} }, verdict, reason: [], notMeasured: {} },
  };
}

const inTime = {
  ...{ 'quiet.wakeUps': 600, 'quiet.wakeUpsLate': 0, 'quiet.slotsOverslept': 0 },
  ...{ 'quiet.wakeUpLatenessMs.p99': 0.2, 'quiet.wakeUpLatenessMs.max': 0.9 },
};
const at60 = { 'quiet.rateHz': 60 };

test.each<[string, Pick<Experiment, 'declaration' | 'bestVerdict'>, ClosedRow, string | null]>([
  ['wake-ups in time', quiet, rowOf('PASS', inTime, at60), null],
  [
    'late wake-ups',
    quiet,
    rowOf('PASS', { ...inTime, 'quiet.wakeUpsLate': 2 }, at60),
    'PASS for a row that is FAIL',
  ],
  ['a late wake-up', quiet, rowOf('WARN', { ...inTime, 'quiet.wakeUpsLate': 1 }, at60), null],
  ['no wake-up', quiet, rowOf('WARN', { 'quiet.wakeUps': 0 }, at60), 'WARN for a row that is INVALID'],
  ['a rate alone', quiet, rowOf('PASS', {}, at60), 'PASS for a row without a figure'],
  ['scores', quiet, rowOf('PASS', { 'quiet.integerMsteps': 150 }), null],
  ['no score', quiet, rowOf('WARN', { 'quiet.integerMsteps': null }), null],
  ['a check that is ok', preflight, rowOf('PASS', { 'preflight.state': 'ok' }), null],
  [
    'a check that is unknown',
    preflight,
    rowOf('PASS', { 'preflight.state': 'unknown' }),
    'PASS for a row that is WARN',
  ],
  ['a check without a state', preflight, rowOf('WARN', {}), 'WARN for a row that is INVALID'],
  ['no rate', storage, rowOf('PASS', { 'storage.bestMBps': null }), 'PASS for a row without a figure'],
  ['a rate', storage, rowOf('PASS', { 'storage.bestMBps': 900 }), null],
  ['a FAIL', preflight, rowOf('FAIL', {}), null],
])('of another machine, %s', (_, experiment, row, words) => {
  const believed = believedRow(experiment, 'aa', row, defaultThresholds);
  if (words === null) expect(believed).toBe(row);
  else {
    expect(believed.verdict).toBe('INVALID');
    expect(wordsOf(believed.reason)).toContain(`aa reports ${words}`);
  }
});
