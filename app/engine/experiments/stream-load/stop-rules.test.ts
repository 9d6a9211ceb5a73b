import { describe, expect, test } from 'vitest';
import { type StopRule, stopRules } from '../../../protocol/experiments/stream-load/declaration';
import { wordsOf } from '../../../protocol/reason-words';
import { defaultThresholds } from '../../../protocol/thresholds';
import { changedRow, exampleRow, type RowChanges } from '../../../testing/example-run';
import {
  type Breach,
  type BreachRules,
  breachOf,
  endedEarly,
  keptLookSeconds,
  type Look,
  stopsRamp,
} from './stop-rules';

const rules: BreachRules = { stopOn: ['loss', 'cpu'], stopAfterSeconds: 4 };

/** A look a second: what each stream lost in that second, and the CPU. */
function looks(seconds: { lost?: number[]; cpu?: number | null }[]): Look[] {
  const totals = new Map<string, number>();
  return [{}, ...seconds].map(({ lost = [], cpu = 50 }, index) => {
    for (const [index, frames] of lost.entries())
      totals.set(String(index), (totals.get(String(index)) ?? 0) + frames);
    return { atNs: index * 1e9, lost: new Map(totals), cpuPercent: cpu };
  });
}

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const breach = (seconds: Parameters<typeof looks>[0], changes: Partial<BreachRules> = {}) =>
  breachOf(looks(seconds), { ...rules, ...changes }, defaultThresholds);

describe('lost frames', () => {
  test('beyond the profile’s limit for the whole time are a breach', () => {
    expect(breach(times(4, { lost: [2] }))).toEqual({
      rule: 'most-lost-on-end',
      limits: { mostFrames: 1, windowSeconds: 2, stopAfterSeconds: 4 },
    });
    expect(breach(times(3, { lost: [2] }))).toBeNull();
    expect(breach(times(9, { lost: [2] }), { stopOn: ['cpu'] })).toBeNull();
  });

  test('within the limit are none, however long', () => {
    const acceptable = [{ lost: [1] }, { lost: [0] }];
    expect(breach(times(10, acceptable).flat())).toBeNull();
  });

  test('of several streams count for the worst alone', () => {
    const inTurn = [{ lost: [1, 0] }, { lost: [0, 1] }];
    expect(breach(times(10, inTurn).flat())).toBeNull();
    expect(breach(times(10, { lost: [0, 1] }))).not.toBeNull();
  });

  test('that stop in between begin anew', () => {
    const pause = times(3, {});
    expect(breach([...times(3, { lost: [5] }), ...pause, ...times(3, { lost: [5] })])).toBeNull();
    expect(breach([...times(3, { lost: [5] }), ...pause, ...times(4, { lost: [5] })])).not.toBeNull();
  });

  test('are counted in a window that reaches back before the time of the breach', () => {
    const rising = [{ lost: [2] }, {}, {}, {}, {}];
    expect(breach(rising)).toBeNull();
  });
});

const tooBusy: Breach = { rule: 'cpu-below', limits: { mostPercent: 90, stopAfterSeconds: 4 } };

describe('the CPU', () => {
  test('at its limit for the whole time is a breach', () => {
    expect(breach(times(4, { cpu: 90 }))).toEqual(tooBusy);
    expect(breach([...times(3, { cpu: 99 }), { cpu: 89.9 }, { cpu: 99 }])).toBeNull();
    expect(breach(times(9, { cpu: 99 }), { stopOn: ['loss'] })).toBeNull();
  });

  test('that was not measured is none', () => {
    expect(breach([...times(5, { cpu: 99 }), { cpu: null }])).toBeNull();
  });
});

test('looks that are kept are enough for a breach', () => {
  const kept = keptLookSeconds(rules, defaultThresholds);
  expect(breachOf(looks(times(50, { lost: [2] })).slice(-kept), rules, defaultThresholds)).not.toBeNull();
  expect(breachOf([], rules, defaultThresholds)).toBeNull();
});

test.each<[StopRule, RowChanges, Breach | null]>([
  ['sender-miss', { figures: { senderMissed: true } }, null],
  ['fail', { verdict: 'FAIL' }, null],
  ['invalid', { verdict: 'INVALID' }, null],
])('%s ends a ramp where it is a rule, and only there', (rule, changes, broken) => {
  const row = changedRow(exampleRow(), changes);
  expect(stopsRamp(row, broken, [rule])).toBe(true);
  expect(
    stopsRamp(
      row,
      broken,
      stopRules.filter((other) => other !== rule),
    ),
  ).toBe(false);
  expect(stopsRamp(exampleRow(), broken, stopRules)).toBe(false);
  expect(stopsRamp(exampleRow(), tooBusy, [])).toBe(true);
  const missed = { figures: { senderMissed: true } };
  expect(stopsRamp(changedRow(exampleRow(), { ...missed, verdict: 'FAIL' }), null, ['sender-miss'])).toBe(
    true,
  );
  expect(stopsRamp(changedRow(exampleRow(), { ...missed, verdict: 'INVALID' }), null, ['sender-miss'])).toBe(
    false,
  );
});

test('a row that was ended early names rule and time, and is no pass', () => {
  const ofLength = changedRow(exampleRow(), { figures: { measuredSeconds: 9.52 } });
  const row = { ...ofLength, to: '2026-11-21T10:00:09.500Z' };
  const plan = { holdSeconds: 60, stopAfterSeconds: 4 };
  const ended =
    'ended after 9.5 of 60 s (rule: the CPU below 90 %, or above it for less than 4 s on end; ' +
    'the CPU was above it from 10:00:05.500 to 10:00:09.500 UTC)';
  const early = endedEarly(row, tooBusy, plan, defaultThresholds);
  expect(early.verdict).toBe('FAIL');
  expect(wordsOf(early.reason)).toBe(ended);
  const stolen = endedEarly(
    changedRow(row, { verdict: 'INVALID', reason: 'stolen' }),
    tooBusy,
    plan,
    defaultThresholds,
  );
  expect(stolen.verdict).toBe('INVALID');
  expect(wordsOf(stolen.reason)).toBe(`stolen; ${ended}`);
  const taken = changedRow(row, { sender: { othersCpuMeanPercent: 30 } });
  const others = endedEarly(taken, tooBusy, plan, defaultThresholds);
  expect(others.verdict).toBe('INVALID');
  expect(wordsOf(others.reason)).toBe(`other programs took 30.0 % of the CPU (limit 25 %); ${ended}`);
  const unread = {
    ...changedRow(row, { sender: { othersCpuMeanPercent: null } }),
    notMeasured: { 'sender.othersCpuMeanPercent': 'no file descriptor is left' },
  };
  const unknown = endedEarly(unread, tooBusy, plan, defaultThresholds);
  expect([unknown.verdict, wordsOf(unknown.reason)]).toEqual([
    'INVALID',
    `how much CPU other programs took could not be checked: no file descriptor is left; ${ended}`,
  ]);
});
