import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';

/** Where the suites' own reports go, and what the end-to-end tests leave; git-ignored. */
export const resultFolder = path.join(rootFolder, 'test-results');

/**
 * Runs a suite that writes a JSON report, and counts what the report says.
 * A suite that ends badly without a failed test, or without a report, counts as one failed: it must not pass unseen.
 * @param {string} reportName its path in the result folder
 * @param {(reportFile: string) => Promise<number>} runSuite resolves to its exit status
 * @param {(report: object) => {passed: number, failed: number}} countsOf
 */
export async function countReport(reportName, runSuite, countsOf) {
  const reportFile = path.join(resultFolder, reportName);
  rmSync(reportFile, { force: true });
  const status = await runSuite(reportFile);
  if (!existsSync(reportFile)) {
    process.stdout.write(`ended with status ${status} and left no ${reportName}\n`);
    return { passed: 0, failed: 1 };
  }
  const { passed, failed } = countsOf(JSON.parse(readFileSync(reportFile, 'utf8')));
  return { passed, failed: failed === 0 && (status !== 0 || passed === 0) ? 1 : failed };
}

export function sumOf(allCounts) {
  return {
    passed: allCounts.reduce((sum, { passed }) => sum + passed, 0),
    failed: allCounts.reduce((sum, { failed }) => sum + failed, 0),
  };
}
