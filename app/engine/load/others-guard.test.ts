import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import type { LoadSample } from '../../protocol/load';
import { defaultThresholds } from '../../protocol/thresholds';
import { loadSample, roleLoad } from '../../testing/load-sample';
import { othersGuard, othersInWorst } from './others-guard';

/** Our processes take 10 % in each. */
function sampleAt(seconds: number, othersPercent: number | null): LoadSample {
  const roles = { console: roleLoad(10, 80, 'engine') };
  if (othersPercent !== null)
    return loadSample({ atNs: seconds * 1e9, cpuPercent: othersPercent + 10, roles });
  return loadSample({ atNs: seconds * 1e9, cpuPercent: null, notMeasured: { cpuPercent: 'it is absent' } });
}

/** Two a second, from the end of the first second to `seconds`, each with what others took in the second before it. */
function samplesOf(seconds: number, othersAt: (seconds: number) => number | null): LoadSample[] {
  return Array.from({ length: 2 * seconds - 1 }, (_, index) => 1 + index / 2).map((at) =>
    sampleAt(at, othersAt(at)),
  );
}

const row = (from: number, to: number) => ({ fromNs: from * 1e9, toNs: to * 1e9 });
const busyFrom = (from: number, to: number) => (at: number) => (at >= from && at <= to ? 60 : 0);

test.each<[string, LoadSample[], ReturnType<typeof row>[], number | null, string | null]>([
  ['nothing', samplesOf(20, () => 0), [row(5, 15)], 0, null],
  ['as much all the time', samplesOf(20, () => 40), [row(5, 15)], 40, null],
  // Those at 6, 6.5 … 15 lie wholly in the row: 19.
  ['for a part of the row', samplesOf(20, busyFrom(13, 15)), [row(5, 15)], (5 * 60) / 19, null],
  [
    'before and after the row alone',
    samplesOf(20, (at) => (at < 4 || at > 16 ? 90 : 0)),
    [row(5, 15)],
    0,
    null,
  ],
  [
    'in one of three repeats',
    samplesOf(20, busyFrom(6, 8)),
    [row(1, 5), row(5, 9), row(9, 13)],
    (5 * 60) / 7,
    null,
  ],
  ['in a row without a sample of its own', samplesOf(5, () => 30), [row(5.2, 5.3)], 30, null],
  ['in a second that is not known', samplesOf(20, (at) => (at === 9 ? null : 8)), [row(5, 15)], 8, null],
  [
    'in 2 s that are not known',
    samplesOf(20, (at) => (at > 8 && at < 11 ? null : 8)),
    [row(5, 15)],
    8,
    'it is absent',
  ],
  ['in all that is not known', samplesOf(20, () => null), [row(5, 15)], null, 'it is absent'],
  [
    'in one repeat of which nothing is known',
    samplesOf(20, (at) => (at >= 5 && at <= 9 ? null : 8)),
    [row(1, 4), row(5, 9)],
    8,
    'it is absent',
  ],
  ['without a sample', [], [row(5, 15)], null, 'no load sample lies within that time or just before it'],
])('what others took %s', (_, samples, repeats, percent, whyUnknown) => {
  const others = othersInWorst(samples, repeats, defaultThresholds);
  expect(others.whyUnknown).toBe(whyUnknown);
  if (percent === null) expect(others.percent).toBeNull();
  else expect(others.percent).toBeCloseTo(percent, 9);
});

test.each<[number | null, string | null, string, string]>([
  [0, null, 'fine', ''],
  [24.9, null, 'fine', ''],
  [25, null, 'violated', 'other programs took 25.0 % of the CPU (limit 25 %)'],
  [60, 'no reason', 'violated', 'other programs took 60.0 % of the CPU (limit 25 %)'],
  [
    3,
    'it is absent',
    'not-evaluated',
    'how much of the CPU other programs took could not be checked: it is absent',
  ],
  [
    null,
    'it is absent',
    'not-evaluated',
    'how much of the CPU other programs took could not be checked: it is absent',
  ],
])('others took %s %%, not known because: %s', (percent, whyUnknown, state, words) => {
  const guard = othersGuard({ percent, whyUnknown }, defaultThresholds);
  expect([guard.state, wordsOf('facts' in guard ? guard.facts : [])]).toEqual([state, words]);
});
