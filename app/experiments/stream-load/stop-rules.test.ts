import { describe, expect, test } from 'vitest';
import { unjudged } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { StreamsRow } from '../../facts/stream-row';
import type { Verdict } from '../../facts/verdict';
import { defaultThresholds } from '../../protocol/thresholds';
import { changedRow, exampleRow, type RowChanges } from '../../testing/example-run';
import { type StopRule, stopRules } from './declaration';
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

/** A look a second: what each stream lost in that second, the CPU, and what other programs took of it. */
function looks(
  seconds: { lost?: number[]; cpu?: number | null; others?: number | null; why?: string }[],
): Look[] {
  const totals = new Map<string, number>();
  return [{}, ...seconds].map(({ lost = [], cpu = 50, others = 0, why }, index) => {
    for (const [index, frames] of lost.entries())
      totals.set(String(index), (totals.get(String(index)) ?? 0) + frames);
    const whyNoOthers = why === undefined ? {} : { whyNoOthers: why };
    return {
      ...{ atNs: index * 1e9, lost: new Map(totals), cpuPercent: cpu, othersPercent: others },
      ...whyNoOthers,
    };
  });
}

const noOthers = { percent: 0, whyUnknown: null };

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const breach = (seconds: Parameters<typeof looks>[0], changes: Partial<BreachRules> = {}) =>
  breachOf(looks(seconds), { ...rules, ...changes }, defaultThresholds);

describe('lost frames', () => {
  test('beyond the profile’s limit for the whole time are a breach', () => {
    expect(breach(times(4, { lost: [2] }))).toEqual({
      broken: { rule: 'most-lost-on-end', mostFrames: 1, windowSeconds: 2, stopAfterSeconds: 4 },
      others: noOthers,
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

const tooBusy: Breach = {
  broken: { rule: 'cpu-below', mostPercent: 90, stopAfterSeconds: 4 },
  others: noOthers,
};

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
    'ended after 9.5 of 60 s (rule: the CPU below 90 %, above it only for less than 4 s at a time; ' +
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
  expect(wordsOf(stolen.reason)).toBe('ended after 9.5 of 60 s, not judged: stolen');
});

/** 4 s in which the rule is broken, after 8 s in which it is not. */
const calm = times(8, { cpu: 50, others: 0 });
const unread = 'this process could not open /proc/9/stat: no file descriptor is left';

test.each<[string, Parameters<typeof looks>[0], Breach['others']]>([
  ['took nothing', times(4, { cpu: 95 }), noOthers],
  [
    'took the CPU in that time alone',
    [...calm, ...times(4, { cpu: 95, others: 60 })],
    { percent: 60, whyUnknown: null },
  ],
  [
    'took the CPU before that time alone',
    [...times(8, { cpu: 50, others: 50 }), ...times(4, { cpu: 95 })],
    noOthers,
  ],
  [
    'took more and more',
    [10, 20, 30, 44].map((others) => ({ cpu: 95, others })),
    { percent: 26, whyUnknown: null },
  ],
  [
    'are not known in one second',
    [...times(3, { cpu: 95, others: 8 }), { cpu: 95, others: null, why: unread }],
    { percent: 8, whyUnknown: unread },
  ],
  [
    'are not known at all',
    times(4, { cpu: 95, others: null, why: unread }),
    { percent: null, whyUnknown: unread },
  ],
  [
    'are not known, nor why',
    times(4, { cpu: 95, others: null }),
    { percent: null, whyUnknown: 'the reason is not known' },
  ],
])('other programs %s: the breach says so', (_, seconds, others) => {
  expect(breach(seconds)).toEqual({ ...tooBusy, others });
});

const tooLossy: Breach = {
  broken: { rule: 'most-lost-on-end', mostFrames: 1, windowSeconds: 2, stopAfterSeconds: 4 },
  others: noOthers,
};
const known = (percent: number): Breach['others'] => ({ percent, whyUnknown: null });
const unknown: Breach['others'] = { percent: null, whyUnknown: unread };
const busyFact = reasonOf('others-busy', { percent: 30, limitPercent: 25 });
const stolenFact = reasonOf('cpu-stolen', { percent: 9, limitPercent: 5 });
const lateFact = reasonOf('pictures-late', {
  ...{ disk: 0, decode: 0, damaged: 1, unknown: 0 },
  ...{ rateMBps: null, neededMBps: null },
});
const lostFact = reasonOf('frames-lost', {
  ...{ transport: 99, receiverQueue: 0, undecodable: 0 },
  ...{ isAttributed: true, submitted: 600 },
});

test.each<[string, Breach, Partial<StreamsRow>, Verdict, string[]]>([
  ['our streams filled the CPU', tooBusy, {}, 'FAIL', ['ended-early']],
  [
    'they filled it, and time was stolen',
    tooBusy,
    { reason: [reasonOf('no-frame-lost'), stolenFact] },
    'INVALID',
    ['ended-early', 'cpu-stolen'],
  ],
  [
    'they filled it, and no load sample came in time',
    tooBusy,
    { reason: [reasonOf('no-frame-lost'), reasonOf('no-load-sample', { seconds: 2 })] },
    'FAIL',
    ['ended-early', 'no-load-sample'],
  ],
  ['others took a little', { ...tooBusy, others: known(24.9) }, {}, 'FAIL', ['ended-early']],
  ['others took 25 %', { ...tooBusy, others: known(25) }, {}, 'INVALID', ['ended-early', 'others-busy']],
  ['others are not known', { ...tooBusy, others: unknown }, {}, 'INVALID', ['ended-early', 'not-checked']],
  [
    'others took 30 %, and a part is not known',
    { ...tooBusy, others: { percent: 30, whyUnknown: unread } },
    {},
    'INVALID',
    ['ended-early', 'others-busy'],
  ],
  [
    'others took the CPU of a row that is WARN',
    { ...tooBusy, others: known(30) },
    { verdict: 'WARN', reason: [lateFact] },
    'INVALID',
    ['pictures-late', 'ended-early', 'others-busy'],
  ],
  [
    'a row that is FAIL proved it',
    { ...tooBusy, others: known(30) },
    { verdict: 'FAIL', reason: [lostFact] },
    'FAIL',
    ['frames-lost', 'ended-early'],
  ],
  [
    'too much was lost',
    tooLossy,
    { verdict: 'FAIL', reason: [lostFact] },
    'FAIL',
    ['frames-lost', 'ended-early'],
  ],
  [
    'too much was lost while others took the CPU, as the row says',
    { ...tooLossy, others: known(30) },
    { verdict: 'INVALID', reason: [unjudged(lostFact), busyFact] },
    'INVALID',
    ['frames-lost', 'ended-early', 'others-busy'],
  ],
  [
    'too much was lost while time was stolen, as the row says',
    tooLossy,
    { verdict: 'INVALID', reason: [unjudged(lostFact), stolenFact] },
    'INVALID',
    ['frames-lost', 'ended-early', 'cpu-stolen'],
  ],
  ['what seemed lost came at last', tooLossy, {}, 'WARN', ['ended-late']],
  [
    'what seemed lost came at last, while time was stolen',
    tooLossy,
    { reason: [reasonOf('no-frame-lost'), stolenFact] },
    'INVALID',
    ['ended-late', 'cpu-stolen'],
  ],
  [
    'what seemed lost came at last, while others took the CPU',
    { ...tooLossy, others: known(30) },
    {},
    'INVALID',
    ['ended-late', 'others-busy'],
  ],
])('a row that was ended early: %s', (_, broken, changes, verdict, codes) => {
  const plan = { holdSeconds: 60, stopAfterSeconds: 4 };
  const early = endedEarly({ ...exampleRow(), ...changes }, broken, plan, defaultThresholds);
  expect([early.verdict, early.reason.map(({ code }) => code)]).toEqual([verdict, codes]);
});

test('a row that was ended early says what could not be checked, and why', () => {
  const plan = { holdSeconds: 60, stopAfterSeconds: 4 };
  const { reason } = endedEarly(exampleRow(), { ...tooBusy, others: unknown }, plan, defaultThresholds);
  expect(wordsOf(reason)).toMatch(
    /^ended after 2\.0 of 60 s, not judged: how much of the CPU other programs took could not be checked: this process could not open \/proc\/9\/stat: no file descriptor is left$/,
  );
});

test('the machine that was full is named, unless now the one and now the other was', () => {
  const full = looks(times(4, { cpu: 99 }));
  const on = (...machines: string[]) =>
    breachOf(
      full.map((look, index) => ({ ...look, machine: machines[index % machines.length] })),
      rules,
      defaultThresholds,
    );
  const ended = endedEarly(
    exampleRow(),
    on('render-1') as Breach,
    { holdSeconds: 60, stopAfterSeconds: 4 },
    {
      maxOthersPercent: 25,
    },
  );
  expect(wordsOf(ended.reason)).toContain('(rule: the CPU of render-1 below 90 %');
  expect(on('render-1', 'display-1')?.broken).not.toHaveProperty('machine');
});
