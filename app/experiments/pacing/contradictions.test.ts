import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { defaultThresholds } from '../../protocol/thresholds';
import { frameOf } from '../../testing/made-up-rows';
import { pacingContradictions } from './contradictions';
import type { PacingReadings } from './measure';
import { pacedRow } from './pacing-rows';
import { madeUpIntervals, madeUpPacing, madeUpPlan } from './pacing-rows.fixture';

test('what a pacer reports of a good row has none, copies included', () => {
  expect(pacingContradictions(madeUpPacing(460))).toEqual([]);
  expect(pacingContradictions(madeUpPacing(460, { duplicated: 12, late: 80_012 }))).toEqual([]);
  expect(pacingContradictions({ ...madeUpPacing(460, { lost: 9 }), sent: null })).toEqual([]);
});

test.each<[Partial<PacingReadings['received']>, string]>([
  [{ received: 80_001 }, '(packets): 80001 received, 80000 sent'],
  [{ lost: 3 }, '(packets): 80003 received or lost, 80000 sent'],
  [{ received: 0, lost: 90_000 }, '(packets): 90000 lost, 80000 sent'],
  [{ late: 80_001 }, '(late packets): 80001 late, 80000 arrived'],
  [{ late: 2, longestLateRun: 3 }, '(late packets): 3 one after the other, 2 late'],
  [{ early: 80_001 }, '(early packets): 80001 early, 80000 arrived'],
  [{ tooLateToPresent: 80_001 }, '80001 too late to present, 80000 arrived'],
  [{ excluded: 80_000 }, '(intervals): 80000 excluded, 79999 in all'],
])('%j', (received, words) => {
  expect(wordsOf(pacingContradictions(madeUpPacing(460, received)))).toContain(words);
});

test('percentiles rise; the row is INVALID and names both', () => {
  const falling = { ...madeUpIntervals('received', 460), p99Ns: 0 };
  const measured = { ...madeUpPacing(460), intervals: { received: falling } };
  const { verdict, reason } = pacedRow(frameOf(0), madeUpPlan('spin'), measured, 'own', defaultThresholds);
  expect(verdict).toBe('INVALID');
  expect(wordsOf(reason)).toBe(
    'the figures contradict each other (intervals received): 125230 ns p75, 0 ns p99',
  );
});

test('what a receiver says nothing of was lost: it is named, with both figures', () => {
  const machines = { sender: 'render-1', receiver: 'evil-1' };
  const one = pacingContradictions(madeUpPacing(460, { received: 1, excluded: 0 }), machines);
  expect(wordsOf(one)).toBe(
    'the figures contradict each other (packets): 80000 sent on render-1, 1 received or lost on evil-1',
  );
  const none = pacingContradictions({ ...madeUpPacing(460, { excluded: 0 }), intervals: {} }, machines);
  expect(wordsOf(none)).toBe(
    'the figures contradict each other (intervals): 79999 between packets on evil-1, 0 measured',
  );
});

test('over a step of the card’s clock alone no interval is measured', () => {
  const measured = madeUpPacing(460, { clockSteps: 3 });
  const intervals = { received: { ...madeUpIntervals('received', 460), count: 79_996 } };
  const listening = { ...measured.listening, stamps: 'hardware' as const };
  expect(pacingContradictions({ ...measured, intervals, listening })).toEqual([]);
  expect(wordsOf(pacingContradictions({ ...measured, intervals }))).toContain(
    '(intervals): 79999 between packets, 79996 measured',
  );
});
