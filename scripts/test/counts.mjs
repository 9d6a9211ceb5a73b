import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';
import { failureOf } from './failures.mjs';

/** Where the suites' own reports go, and what the end-to-end tests leave; git-ignored. */
export const resultFolder = path.join(rootFolder, 'test-results');

/**
 * Runs a suite that writes a JSON report, and counts what the report says.
 * A suite that ends with a status that its tests do not explain, without a passed one, or without a report, counts as one
 * failed: it must not pass unseen.
 * @param {string} reportName its path in the result folder
 * @param {(reportFile: string) => Promise<number>} runSuite resolves to its exit status
 * @param {(report: object) => ReturnType<typeof counted>} countsOf
 */
export async function countReport(reportName, runSuite, countsOf) {
  const reportFile = path.join(resultFolder, reportName);
  rmSync(reportFile, { force: true });
  const status = await runSuite(reportFile);
  if (!existsSync(reportFile)) {
    return oneFailed(`ended with status ${status} and left no ${reportName}`);
  }
  return judge(countsOf(JSON.parse(readFileSync(reportFile, 'utf8'))), status);
}

/** With which GoogleTest, Vitest and Playwright end when a test has failed. */
const testFailedStatus = 1;

/** @param {number} status with which the suite ended. A sanitizer has its own for what it found, whatever the tests say. */
export function judge(counts, status) {
  const { passed, notMeasured, failures, times } = counts;
  const unmeasured = notMeasured.length;
  const isExplained = status === 0 || (status === testFailedStatus && failures.length + unmeasured > 0);
  const complaints = [
    ...(isExplained ? [] : [`ended with status ${status}, which no failed test explains`]),
    ...(passed + failures.length + unmeasured === 0 ? ['no test passed'] : []),
  ];
  const failure = failureOf(null, complaints.join('; '));
  return counted(passed, complaints.length > 0 ? [...failures, failure] : failures, notMeasured, times);
}

/**
 * What a suite came to.
 * @param {ReturnType<typeof failureOf>[]} failures the tests that failed
 * @param {{ name: string, reason: string }[]} notMeasured those of which it is not known, since the hypervisor took the CPU
 * @param {{ name: string, seconds: number }[]} times of each test, where its runner reports them
 */
export function counted(passed, failures, notMeasured = [], times = []) {
  return { passed, failed: failures.length, notMeasured, failures, times };
}

/** What could not even start, or ended without a report, counts as this. */
export function oneFailed(reason) {
  process.stdout.write(`${reason}\n`);
  return counted(0, [failureOf(null, reason)]);
}

export function sumOf(allCounts) {
  const passed = allCounts.reduce((total, counts) => total + counts.passed, 0);
  const all = (kind) => allCounts.flatMap((counts) => counts[kind]);
  return counted(passed, all('failures'), all('notMeasured'), all('times'));
}

/** Whether a whole run is good, from the sum of its suites. */
export function hasPassed({ passed, failed }) {
  return passed > 0 && failed === 0;
}
