import { describe, expect, test } from 'vitest';
import { counted, judge, sumOf } from './counts.mjs';
import { failureOf } from './failures.mjs';
import { countsOfPlaywright } from './playwright.mjs';
import { countsOfVitest } from './vitest.mjs';

test('a suite that ends badly without a failed test, or without a passed one, has failed', () => {
  expect(judge(counted(3, []), 0).failed).toBe(0);
  expect(judge(counted(3, []), 1).failed).toBe(1);
  expect(judge(counted(0, []), 0).failed).toBe(1);
  expect(judge(counted(3, ['one', 'two']), 1)).toEqual(counted(3, ['one', 'two']));
  expect(judge(counted(3, []), 7).failures).toEqual(['ended with status 7 without a failed test']);
  expect(judge(counted(0, []), 0).failures).toEqual(['no test passed']);
  expect(judge(counted(0, []), 1).failed).toBe(1);
});

test('what was not measured fails a suite only where it is half of it or more', () => {
  expect(judge(counted(3, [], 2), 1)).toEqual({ passed: 3, failed: 0, notMeasured: 2, failures: [] });
  expect(judge(counted(3, [], 3), 1).failed).toBe(1);
  expect(judge(counted(0, [], 1), 1).failed).toBe(1);
  expect(judge(counted(9, ['one'], 1), 1).failed).toBe(1);
});

test('sums hold each kind', () => {
  expect(sumOf([counted(1, ['one', 'two']), counted(3, [], 4)])).toEqual({
    ...{ passed: 4, failed: 2, notMeasured: 4, failures: ['one', 'two'] },
  });
});

test('Vitest: skipped is failed, a file without tests too; only the mark makes it not measured', () => {
  const assertionResults = [
    { fullName: 'a', status: 'passed', failureMessages: [], meta: { notMeasured: 'in an earlier try' } },
    { fullName: 'b', status: 'skipped', failureMessages: [], meta: {} },
    { fullName: 'c', status: 'failed', failureMessages: ['Error: no'], meta: { notMeasured: null } },
    {
      fullName: 'd',
      status: 'failed',
      failureMessages: ['Error'],
      meta: { notMeasured: 'the hypervisor took …' },
    },
  ];
  const testResults = [
    { name: 'some.test.ts', status: 'failed', message: '', assertionResults },
    { name: 'empty.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
  ];
  expect(countsOfVitest({ testResults })).toEqual({
    passed: 1,
    failed: 3,
    notMeasured: 1,
    failures: ['b\n    skipped', 'c\n    Error: no', 'empty.test.ts\n    SyntaxError'],
  });
});

test('a failure is repeated without colours, without the stack of others, and not at any length', () => {
  const stack =
    '    at mine (app/a.ts:1:2)\n    at its (node_modules/b/c.js:3:4)\n    at node:internal/d:5:6';
  expect(failureOf('name', `\u001b[31mError\u001b[39m\n\n${stack}`)).toBe(
    'name\n    Error\n        at mine (app/a.ts:1:2)',
  );
  const long = failureOf('name', Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n'));
  expect(long.split('\n').slice(-2)).toEqual(['    line 14', '    … 25 lines more above']);
});

describe('Playwright', () => {
  const passed = { status: 'passed', annotations: [], errors: [] };
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
    ['passed after a failure', 'failed', counts('flaky', failed, passed), ['it\n    Error: no']],
    ['failed', 'failed', counts('unexpected', failed, failed, failed), ['it\n    Error: no']],
    ['failed, and then without the CPU', 'failed', counts('unexpected', failed, stolen), ['it\n    late']],
    ['each try without the CPU', 'notMeasured', counts('unexpected', stolen, stolen, stolen), []],
    ['skipped', 'failed', counts('skipped'), ['it\n    skipped']],
  ])('%s is counted as %s', (_, kind, found, failures) => {
    expect(found).toEqual({ passed: 0, failed: 0, notMeasured: 0, [kind]: 1, failures });
  });
});
