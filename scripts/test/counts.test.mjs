import { describe, expect, test } from 'vitest';
import { judge, sumOf } from './counts.mjs';
import { countsOfPlaywright } from './playwright.mjs';
import { countsOfVitest } from './vitest.mjs';

test('a suite that ends badly without a failed test, or without a passed one, has failed', () => {
  expect(judge({ passed: 3, failed: 0 }, 0).failed).toBe(0);
  expect(judge({ passed: 3, failed: 0 }, 1).failed).toBe(1);
  expect(judge({ passed: 0, failed: 0 }, 0).failed).toBe(1);
  expect(judge({ passed: 3, failed: 2 }, 1).failed).toBe(2);
});

test('what was not measured fails a suite only where it is half of it or more', () => {
  expect(judge({ passed: 3, failed: 0, notMeasured: 2 }, 1)).toEqual({
    passed: 3,
    failed: 0,
    notMeasured: 2,
  });
  expect(judge({ passed: 3, failed: 0, notMeasured: 3 }, 1).failed).toBe(1);
  expect(judge({ passed: 0, failed: 0, notMeasured: 1 }, 1).failed).toBe(1);
  expect(judge({ passed: 9, failed: 1, notMeasured: 1 }, 1).failed).toBe(1);
});

test('sums hold each kind', () => {
  const counts = [
    { passed: 1, failed: 2 },
    { passed: 3, failed: 0, notMeasured: 4 },
  ];
  expect(sumOf(counts)).toEqual({ passed: 4, failed: 2, notMeasured: 4 });
});

test('Vitest: skipped is failed, a file without tests too; only the mark makes it not measured', () => {
  const assertionResults = [
    { status: 'passed', meta: { notMeasured: 'in an earlier try' } },
    { status: 'skipped', meta: {} },
    { status: 'failed', meta: { notMeasured: null } },
    { status: 'failed', meta: { notMeasured: 'the hypervisor took …' } },
  ];
  const testResults = [
    { status: 'failed', assertionResults },
    { status: 'failed', assertionResults: [] },
  ];
  expect(countsOfVitest({ testResults })).toEqual({ passed: 1, failed: 3, notMeasured: 1 });
});

describe('Playwright', () => {
  const passed = { status: 'passed', annotations: [] };
  const failed = { status: 'failed', annotations: [] };
  const stolen = { status: 'failed', annotations: [{ type: 'not measured' }] };
  const counts = (status, ...results) =>
    countsOfPlaywright({
      suites: [{ specs: [], suites: [{ specs: [{ tests: [{ status, results }] }] }] }],
      errors: [],
    });

  test.each([
    ['passed', 'passed', counts('expected', passed)],
    ['passed after a try without the CPU', 'passed', counts('flaky', stolen, passed)],
    ['passed after a failure', 'failed', counts('flaky', failed, passed)],
    ['failed', 'failed', counts('unexpected', failed, failed, failed)],
    ['failed, and then without the CPU', 'failed', counts('unexpected', failed, stolen, stolen)],
    ['each try without the CPU', 'notMeasured', counts('unexpected', stolen, stolen, stolen)],
    ['skipped', 'failed', counts('skipped')],
  ])('%s is counted as %s', (_, kind, found) => {
    expect(found).toEqual({ passed: 0, failed: 0, notMeasured: 0, [kind]: 1 });
  });
});
