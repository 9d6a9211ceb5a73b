import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { counted, countReport, hasPassed, judge, resultFolder, sumOf } from './counts.mjs';
import { failureOf, failureText } from './failures.mjs';
import { countsOfPlaywright } from './playwright.mjs';
import { commands, stagesOf, suites, suitesOf } from './suites.mjs';
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
  // A sanitizer's finding beside a failed test.
  expect(judge(counted(3, [failed('one')]), 66).failures).toEqual([
    failed('one'),
    failureOf(null, 'ended with status 66, which no failed test explains'),
  ]);
  expect(judge(counted(0, []), 0).failures).toEqual([failureOf(null, 'no test passed')]);
  expect(judge(counted(0, []), 1).failed).toBe(1);
});

test('a suite that leaves no report has failed, whatever an older one left', async () => {
  const name = `made-up-${process.pid}.json`;
  const file = path.join(resultFolder, name);
  onTestFinished(() => rmSync(file, { force: true }));
  const countsOf = ({ passed }) => counted(passed, []);
  const write = async (reportFile) => {
    mkdirSync(resultFolder, { recursive: true });
    writeFileSync(reportFile, '{"passed": 3}');
    return 0;
  };
  expect(await countReport(name, write, countsOf)).toEqual(counted(3, []));
  expect((await countReport(name, async () => 0, countsOf)).failures).toEqual([
    failureOf(null, `ended with status 0 and left no ${name}`),
  ]);
});

test('what was not measured fails nothing, and is no pass either', () => {
  const two = counted(3, [], [{ name: 'a', reason: 'stolen' }]);
  expect(judge(two, 1)).toEqual(two);
  expect(hasPassed(two)).toBe(true);
  expect(hasPassed(counted(0, [], [{ name: 'a', reason: 'stolen' }]))).toBe(false);
  expect(hasPassed(counted(90, [failed('one')]))).toBe(false);
});

test('each suite has its place in one command', () => {
  const placed = Object.values(commands).flatMap(suitesOf);
  expect(placed.toSorted()).toEqual(Object.keys(suites).toSorted());
  expect(Object.keys(commands.deep.inputs).toSorted()).toEqual(suitesOf(commands.deep).toSorted());
  const stages = [
    [['check', 'core'], ['unit']],
    [['addon'], ['e2e', 'browser']],
  ];
  expect(stagesOf({ stages }, ['e2e', 'unit', 'core'])).toEqual([[['core'], ['unit']], [['e2e']]]);
  expect(stagesOf({ stages }, ['e2e'])).toEqual([[['e2e']]]);
});

test('sums hold each kind', () => {
  const failures = [failed('one'), failed('two')];
  expect(sumOf([counted(1, failures), counted(3, [], ['a', 'b'])])).toEqual({
    ...{ passed: 4, failed: 2, notMeasured: ['a', 'b'], failures, times: [] },
  });
});

describe('Vitest', () => {
  const one = { file: 'a.test.ts', notMeasured: null, seconds: 1, errors: [] };
  const countsOf = (test, others = []) => countsOfVitest({ tests: [{ ...one, ...test }], others });

  test('skipped is failed, and so is what fails outside the tests', () => {
    expect(countsOf({ name: 'a', state: 'passed' })).toEqual(counted(1, [], [], [{ name: 'a', seconds: 1 }]));
    expect(countsOf({ name: 'a', state: 'skipped' }).failures).toEqual([
      failureOf('a.test.ts > a', 'skipped'),
    ]);
    const others = [{ name: 'empty.test.ts', error: 'it has no test' }];
    expect(countsOf({ name: 'a', state: 'passed' }, others).failures).toEqual([
      failureOf('empty.test.ts', 'it has no test'),
    ]);
  });

  test('a file that was asked for and has no test is failed', () => {
    const found = countsOfVitest(
      { tests: [{ ...one, name: 'a', state: 'passed', file: 'app/cli/run.test.ts' }], others: [] },
      ['app/cli', 'app/cli/run.test.ts', 'app/cl', 'app/cli/gone.test.ts'],
    );
    expect(found.failures).toEqual(
      ['app/cl', 'app/cli/gone.test.ts'].map((file) => failureOf(file, 'no test of it ran')),
    );
    expect(found.passed).toBe(1);
  });

  test('a failure with a mark is not measured', () => {
    const reason = 'the hypervisor took …';
    const test = { name: 'a', state: 'failed', errors: ['Error: no'] };
    expect(countsOf({ ...test, notMeasured: reason })).toMatchObject({
      ...{ failed: 0, notMeasured: [{ name: 'a', reason }] },
    });
    expect(countsOf(test)).toMatchObject({ failed: 1, notMeasured: [] });
    expect(countsOf({ ...test, state: 'passed', notMeasured: reason })).toMatchObject({
      ...{ passed: 1, notMeasured: [] },
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
  expect(failureText(long).split('\n').slice(-2)).toEqual(['    line 29', '    … 10 lines more above']);
});

describe('Playwright', () => {
  const passed = { status: 'passed', annotations: [], errors: [], duration: 2000 };
  const failed = { status: 'failed', annotations: [], errors: [{ message: 'Error: no' }] };
  const stolen = {
    ...failed,
    annotations: [{ type: 'not measured', description: 'the hypervisor took …' }],
  };
  const counts = (status, ...results) =>
    countsOfPlaywright({
      suites: [{ specs: [], suites: [{ specs: [{ title: 'it', tests: [{ status, results }] }] }] }],
      errors: [],
    });

  test.each([
    ['passed', 'passed', counts('expected', passed), []],
    ['failed', 'failed', counts('unexpected', failed), ['Error: no']],
    ['failed without the CPU', 'not measured', counts('unexpected', stolen), []],
    ['skipped', 'failed', counts('skipped'), ['skipped']],
  ])('%s is counted as %s', (_, kind, found, messages) => {
    const failures = messages.map((message) => failureOf('it', message));
    const notMeasured = kind === 'not measured' ? [{ name: 'it', reason: 'the hypervisor took …' }] : [];
    const times = [{ name: 'it', seconds: expect.any(Number) }];
    expect(found).toEqual(counted(kind === 'passed' ? 1 : 0, failures, notMeasured, times));
  });
});
