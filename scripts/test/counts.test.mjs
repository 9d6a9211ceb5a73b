import { describe, expect, test } from 'vitest';
import { takenAgain } from './core.mjs';
import { counted, hasPassed, judge, sumOf } from './counts.mjs';
import { failureOf, failureText } from './failures.mjs';
import { countsOfPlaywright } from './playwright.mjs';
import { stagesOf, suites } from './suites.mjs';
import { countsOfVitest } from './vitest.mjs';

const failed = (name) => failureOf(name, 'Error: no');

test('a suite that ends badly without a failed test, or without a passed one, has failed', () => {
  expect(judge(counted(3, []), 0).failed).toBe(0);
  expect(judge(counted(3, []), 1).failed).toBe(1);
  expect(judge(counted(0, []), 0).failed).toBe(1);
  expect(judge(counted(3, [failed('one'), failed('two')]), 1)).toEqual(
    counted(3, [failed('one'), failed('two')]),
  );
  expect(judge(counted(3, []), 7).failures).toEqual([
    failureOf(null, 'ended with status 7, which no failed test explains'),
  ]);
  // A sanitizer's finding beside a failed test, which may be tried again.
  expect(judge(counted(3, [failed('one')]), 66).failures).toEqual([
    failed('one'),
    failureOf(null, 'ended with status 66, which no failed test explains'),
  ]);
  expect(judge(counted(0, []), 0).failures).toEqual([failureOf(null, 'no test passed')]);
  expect(judge(counted(0, []), 1).failed).toBe(1);
});

test('tests that were not measured fail a suite if they are half of it, and a run if they are more than five', () => {
  const two = counted(3, [], ['a', 'b']);
  expect(judge(two, 1)).toEqual(two);
  expect(judge(counted(3, [], ['a', 'b', 'c']), 1).failed).toBe(1);
  expect(hasPassed(counted(90, [], ['a', 'b', 'c', 'd', 'e']))).toBe(true);
  expect(hasPassed(counted(90, [], ['a', 'b', 'c', 'd', 'e', 'f']))).toBe(false);
  expect(hasPassed(counted(90, [failed('one')]))).toBe(false);
  expect(judge(counted(0, [], ['a']), 1).failed).toBe(1);
  expect(judge(counted(9, [failed('one')], ['a']), 1).failed).toBe(1);
});

test('each suite has its place in one stage', () => {
  const names = Object.keys(suites);
  const placed = stagesOf(names).flatMap(({ lanes, left }) => [...lanes.flat(), ...left]);
  expect(placed.toSorted()).toEqual(names.toSorted());
  expect(stagesOf(['e2e', 'unit', 'core', 'package'])).toEqual([
    { lanes: [['core'], ['unit']], left: ['package'] },
    { lanes: [['e2e']], left: [] },
  ]);
  expect(stagesOf(['package'])).toEqual([{ lanes: [['package']], left: [] }]);
});

test('sums hold each kind', () => {
  const failures = [failed('one'), failed('two')];
  expect(sumOf([counted(1, failures), counted(3, [], ['a', 'b'])])).toEqual({
    ...{ passed: 4, failed: 2, notMeasured: ['a', 'b'], failures, times: [] },
  });
});

describe('Vitest', () => {
  const one = { isTiming: true, retries: 0, notMeasured: null, seconds: 1, errors: [] };
  const countsOf = (test, others = []) => countsOfVitest({ tests: [{ ...one, ...test }], others });

  test('skipped is failed, and so is what fails outside the tests', () => {
    expect(countsOf({ name: 'a', state: 'passed' })).toEqual(counted(1, [], [], [{ name: 'a', seconds: 1 }]));
    expect(countsOf({ name: 'a', state: 'skipped' }).failures).toEqual([failureOf('a', 'skipped')]);
    const others = [{ name: 'empty.test.ts', error: 'it has no test' }];
    expect(countsOf({ name: 'a', state: 'passed' }, others).failures).toEqual([
      failureOf('empty.test.ts', 'it has no test'),
    ]);
  });

  test('only the mark on its last error makes it not measured', () => {
    const notMeasured = 'the hypervisor took …';
    const marked = `Error: no\nNot measured: ${notMeasured}`;
    const test = { name: 'a', state: 'failed', notMeasured };
    expect(countsOf({ ...test, errors: [marked] })).toMatchObject({ failed: 0, notMeasured: ['a'] });
    expect(countsOf({ ...test, errors: [marked, 'a handle is open'] })).toMatchObject({ failed: 1 });
    expect(countsOf({ ...test, notMeasured: null, errors: ['Error: no'] })).toMatchObject({ failed: 1 });
    expect(countsOf({ ...test, state: 'passed' })).toMatchObject({ passed: 1, notMeasured: [] });
  });

  test('only a timing test may be tried again', () => {
    expect(countsOf({ name: 'a', state: 'passed', retries: 1 })).toMatchObject({ passed: 1, failed: 0 });
    expect(countsOf({ name: 'a', state: 'passed', retries: 1, isTiming: false })).toMatchObject({
      ...{ passed: 0, failed: 1 },
    });
  });
});

test('a failure is repeated without colours, without the stack of others, and not at any length', () => {
  const stack =
    '    at mine (app/a.ts:1:2)\n    at its (node_modules/b/c.js:3:4)\n    at node:internal/d:5:6';
  expect(failureText(failureOf('name', `\u001b[31mError\u001b[39m\n\n${stack}`))).toBe(
    'name\n    Error\n        at mine (app/a.ts:1:2)',
  );
  const long = failureOf('name', Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n'));
  expect(failureText(long).split('\n').slice(-2)).toEqual(['    line 14', '    … 25 lines more above']);
});

describe('Playwright', () => {
  const passed = { status: 'passed', annotations: [], errors: [], duration: 2000 };
  const failed = { status: 'failed', annotations: [], errors: [{ message: 'Error: no' }] };
  const stolen = { status: 'failed', annotations: [{ type: 'not measured' }], errors: [{ message: 'late' }] };
  const counts = (status, ...results) =>
    countsOfPlaywright({
      suites: [{ specs: [], suites: [{ specs: [{ title: 'it', tests: [{ status, results }] }] }] }],
      errors: [],
    });

  test.each([
    ['passed', 'passed', counts('expected', passed), []],
    ['passed after a try without the CPU', 'passed', counts('flaky', stolen, passed), []],
    ['passed after a failure', 'failed', counts('flaky', failed, passed), ['Error: no']],
    ['failed', 'failed', counts('unexpected', failed, failed, failed), ['Error: no']],
    ['failed, and then without the CPU', 'failed', counts('unexpected', failed, stolen), ['late']],
    ['each try without the CPU', 'not measured', counts('unexpected', stolen, stolen, stolen), []],
    ['skipped', 'failed', counts('skipped'), ['skipped']],
  ])('%s is counted as %s', (_, kind, found, messages) => {
    const failures = messages.map((message) => failureOf('it', message));
    const notMeasured = kind === 'not measured' ? ['it'] : [];
    const times = [{ name: 'it', seconds: expect.any(Number) }];
    expect(found).toEqual(counted(kind === 'passed' ? 1 : 0, failures, notMeasured, times));
  });

  test('takes as long as all its tries', () => {
    expect(counts('flaky', passed, passed).times).toEqual([{ name: 'it', seconds: 4 }]);
  });
});

describe('GoogleTest', () => {
  const watched = (...stolenBy) => ({
    now: () => 0,
    calm: () => Promise.resolve(),
    since: () => (stolenBy.shift() ? 'the hypervisor took 30 % of the CPU' : null),
  });
  const late = (name) => ({ ...failed(name), isTiming: true });
  const firstRun = counted(5, [late('Suite.a'), late('Suite.b')]);

  test('fails at once what failed with the CPU to itself', async () => {
    const runAgain = () => expect.unreachable();
    expect(await takenAgain(firstRun, watched(false), 0, runAgain)).toEqual(firstRun);
  });

  test('runs those alone again that failed while the CPU was taken', async () => {
    const asked = [];
    const runAgain = async (names, attempt) => {
      asked.push([attempt, ...names]);
      return attempt === 2 ? counted(1, [late('Suite.b')]) : counted(1, []);
    };
    expect(await takenAgain(firstRun, watched(true, true), 0, runAgain)).toEqual(counted(7, []));
    expect(asked).toEqual([
      [2, 'Suite.a', 'Suite.b'],
      [3, 'Suite.b'],
    ]);
  });

  test('fails what fails again with the CPU to itself', async () => {
    const runAgain = async () => counted(1, [late('Suite.b')]);
    expect(await takenAgain(firstRun, watched(true, false), 0, runAgain)).toEqual(
      counted(6, [late('Suite.b')]),
    );
  });

  test('has not measured what met the same in each of three tries', async () => {
    const runAgain = async (names) => counted(0, names.map(late));
    expect(await takenAgain(firstRun, watched(true, true, true), 0, runAgain)).toEqual(
      counted(5, [], ['Suite.a', 'Suite.b']),
    );
  });

  test('never repeats a test that does not depend on time, nor what failed beside it', async () => {
    const mixed = counted(5, [late('Suite.a'), failed('Suite.b')]);
    expect(await takenAgain(mixed, watched(true), 0, () => expect.unreachable())).toEqual(mixed);
  });

  test('never repeats a process that ended without saying which test failed', async () => {
    const crashed = counted(0, [failureOf(null, 'ended with status 139 and left no report')]);
    expect(await takenAgain(crashed, watched(true), 0, () => expect.unreachable())).toEqual(crashed);
  });
});
