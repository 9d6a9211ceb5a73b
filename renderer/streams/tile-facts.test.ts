import { expect, test } from 'vitest';
import type { Row } from '../../app/facts/row';
import type { Verdict } from '../../app/facts/verdict';
import type { Progress, StreamView } from '../../app/protocol/console';
import { rowOf, streamView } from '../testing/fixtures';
import { tileFacts, worstRow } from './tile-facts';

const progress: Progress = {
  ...{ phase: 'measuring', step: 2, steps: 8, phaseSeconds: 10, phaseElapsedSeconds: 4 },
  remainingSeconds: 80,
};

function closed(index: number, verdict: Verdict, change: Partial<Row> = {}): Row {
  return { ...rowOf(index), to: '2026-11-24T08:01:00.000Z', verdict, ...change };
}

test('a run that measures says what is true now, its verdict since the start, its step and the time left', () => {
  const streams = [
    streamView(1, { verdict: 'PASS', reason: 'No frame lost' }),
    streamView(2, { verdict: 'FAIL', reason: '3 frames dropped' }),
  ];
  const rows = [closed(0, 'PASS'), closed(1, 'WARN'), closed(2, 'WARN'), closed(3, 'FAIL')];
  expect(tileFacts({ streams, rows, provisional: 3, progress, cleanMs: 39_900 })).toEqual({
    now: { text: 'No frame lost or missed for 39 s', isTrouble: false },
    soFar: { verdict: 'FAIL', of: 'Whiteline 2', reason: '3 frames dropped' },
    reason: 'Whiteline 2: 3 frames dropped',
    step: 'Step 2 of 8',
    left: '1 min 20 s left',
  });
});

const idle = { rows: [], provisional: null, progress: null, cleanMs: null };

test('streams that do alike are counted, and one without a verdict says nothing', () => {
  const streams = [1, 2, 3].map((id) => streamView(id, { verdict: id < 3 ? 'PASS' : null }));
  expect(tileFacts({ ...idle, streams })).toMatchObject({
    soFar: { verdict: 'PASS', of: '2 of 3 streams' },
    ...{ reason: '', step: null, left: null },
  });
  expect(tileFacts({ ...idle, streams: [] })).toMatchObject({ now: null, soFar: null });
});

test('of streams that do alike badly the worst is named, with what all of them lost', () => {
  const counts = [
    { framesSenderMissed: 2, reason: 'missed 2' },
    { framesSenderMissed: 3, reason: 'missed 3' },
    { framesSenderMissed: 1, lostTotal: 1, reason: 'missed 1' },
    { verdict: 'PASS' as const },
  ];
  const streams = counts.map((one, index) => streamView(index + 1, { verdict: 'INVALID', ...one }));
  expect(tileFacts({ ...idle, streams }).reason).toBe(
    'Whiteline 2 (worst of 3): missed 3; together 7 frames lost or not sent',
  );
  // Where only one has lost, it has said it.
  const [, lossy] = streams;
  const others = [1, 3].map((id) => streamView(id, { verdict: 'INVALID', reason: 'busy' }));
  expect(tileFacts({ ...idle, streams: [...others, lossy].flatMap((one) => one ?? []) }).reason).toBe(
    'Whiteline 2 (worst of 3): missed 3',
  );
});

test.each<[string, Partial<StreamView>[], string, boolean]>([
  ['all is well', [{}, {}], 'No frame lost in the last second', false],
  ['one loses frames', [{}, { lostNow: 4 }], 'Whiteline 2: losing frames', true],
  ['all are in an outage', [{ lostNowInOutage: 60 }, { lostNow: 2 }], 'all 2 streams: losing frames', true],
  [
    'one is gone, which says more than a loss',
    [{ state: 'sender-gone' }, { lostNow: 4 }],
    'Whiteline 1: Not connected',
    true,
  ],
  ['one begins', [{}, { state: 'warming-up', lostNow: null }], 'Whiteline 2: Warming up', false],
  ['nothing is known', [{ lostNow: null }], 'Losses are not measured yet', false],
  [
    'what was counted is not known of this second',
    [{ lostNow: null, lostTotal: 35 }],
    'Losses of this second are not known yet',
    false,
  ],
])('now: %s', (_, changes, text, isTrouble) => {
  const streams = changes.map((change, index) => streamView(index + 1, change));
  expect(tileFacts({ ...idle, streams }).now).toEqual({ text, isTrouble });
});

test('an outage that is over is in the verdict since the start, in one word with its row, and not in what is true now', () => {
  const rows = [closed(0, 'PASS'), closed(1, 'FAIL', { reason: rowOf(1, { reason: 'an outage' }).reason })];
  const of = (verdict: Verdict) =>
    tileFacts({
      ...idle,
      rows,
      streams: [streamView(1, { verdict, reason: 'of the strip' })],
      cleanMs: 39_000,
    });
  for (const verdict of ['INVALID', 'FAIL', 'PASS'] as const)
    expect(of(verdict)).toMatchObject({
      now: { text: 'No frame lost or missed for 39 s' },
      soFar: { verdict: 'FAIL', of: 'row 1' },
      reason: 'row 1: an outage',
    });
});

test('before the first step it is the baseline; a run whose end is not known has no time left', () => {
  const facts = tileFacts({
    ...{ ...idle, streams: [] },
    progress: { ...progress, step: 0, remainingSeconds: 0 },
  });
  expect([facts.step, facts.left]).toEqual(['Baseline, then 8 steps', null]);
});

test('rows that are all good have no worst one; one that was repeated, and the open one, do not count', () => {
  expect(worstRow([closed(0, 'PASS'), closed(1, 'PASS'), rowOf(2)].map(openLast))).toMatchObject({
    ...{ verdict: 'PASS', of: 'all 2 rows' },
  });
  // Runs of an older version have the longer label.
  for (const label of ['replaced by row 2', 'to be replaced by row 2']) {
    const repeated = closed(1, 'INVALID', { label });
    expect(worstRow([closed(0, 'PASS'), repeated, closed(2, 'PASS')])?.verdict).toBe('PASS');
  }
  expect(worstRow([])).toBeNull();
});

function openLast(row: Row, index: number): Row {
  return index === 2 ? { ...row, to: null, verdict: null } : row;
}
