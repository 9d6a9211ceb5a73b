import { expect, test } from 'vitest';
import type { Row } from '../../app/facts/row';
import type { Verdict } from '../../app/facts/verdict';
import type { Progress } from '../../app/protocol/console';
import { rowOf, streamView } from '../testing/fixtures';
import { tileFacts, worstRow } from './tile-facts';

const progress: Progress = {
  ...{ phase: 'measuring', step: 2, steps: 8, phaseSeconds: 10, phaseElapsedSeconds: 4 },
  remainingSeconds: 80,
};

function closed(index: number, verdict: Verdict, change: Partial<Row> = {}): Row {
  return { ...rowOf(index), to: '2026-11-24T08:01:00.000Z', verdict, ...change };
}

test('a run that measures says how it does now, its worst row, its step and the time left', () => {
  const streams = [
    streamView(1, { verdict: 'PASS', reason: 'No frame lost' }),
    streamView(2, { verdict: 'FAIL', reason: '3 frames dropped' }),
  ];
  const rows = [closed(0, 'PASS'), closed(1, 'WARN'), closed(2, 'WARN'), closed(3, 'FAIL')];
  expect(tileFacts({ streams, rows, provisional: 3, progress })).toMatchObject({
    now: { verdict: 'FAIL', of: 'Whiteline 2', reason: '3 frames dropped' },
    worst: { verdict: 'WARN', of: 'row 1' },
    reason: 'now: 3 frames dropped',
    step: 'Step 2 of 8',
    left: '1 min 20 s left',
  });
});

test('streams that do alike are counted, and one without a verdict says nothing', () => {
  const streams = [1, 2, 3].map((id) => streamView(id, { verdict: id < 3 ? 'PASS' : null }));
  expect(tileFacts({ streams, rows: [], provisional: null, progress: null })).toEqual({
    now: { verdict: 'PASS', of: '2 of 3 streams', reason: streams[0]?.reason },
    ...{ worst: null, reason: '', step: null, left: null },
  });
  expect(tileFacts({ streams: [], rows: [], provisional: null, progress: null }).now).toBeNull();
});

test('the reason says whether it is of now or of a row', () => {
  const rows = [closed(0, 'INVALID', { reason: rowOf(0, { reason: 'the machine was busy' }).reason })];
  const of = (verdict: Verdict, reason: string) =>
    tileFacts({ streams: [streamView(1, { verdict, reason })], rows, provisional: null, progress: null })
      .reason;
  expect(of('WARN', '5 frames dropped')).toBe('now: 5 frames dropped');
  expect(of('PASS', 'no frame lost')).toBe('row 0: the machine was busy');
});

test('before the first step it is the baseline; a run whose end is not known has no time left', () => {
  const facts = tileFacts({
    ...{ streams: [], rows: [], provisional: null },
    progress: { ...progress, step: 0, remainingSeconds: 0 },
  });
  expect([facts.step, facts.left]).toEqual(['Baseline, then 8 steps', null]);
});

test('rows that are all good have no worst one; one that was repeated, and the open one, do not count', () => {
  expect(worstRow([closed(0, 'PASS'), closed(1, 'PASS'), rowOf(2)].map(openLast))).toMatchObject({
    ...{ verdict: 'PASS', of: 'all 2 rows' },
  });
  const repeated = closed(1, 'INVALID', { label: 'to be replaced by row 2' });
  expect(worstRow([closed(0, 'PASS'), repeated, closed(2, 'PASS')])?.verdict).toBe('PASS');
  expect(worstRow([])).toBeNull();
});

function openLast(row: Row, index: number): Row {
  return index === 2 ? { ...row, to: null, verdict: null } : row;
}
