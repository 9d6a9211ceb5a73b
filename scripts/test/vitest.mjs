import { runTool } from '../tools.mjs';
import { countReport } from './counts.mjs';

/** Runs one of the projects of vitest.config.ts. */
export function runVitest(project) {
  return countReport(
    `${project}.json`,
    async (reportFile) => {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
      const { status } = await runTool('vitest', ['run', '--project', project, ...reporters], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      return status;
    },
    countsOfVitest,
  );
}

/** A test that was skipped has not passed. */
export function countsOfVitest({ testResults }) {
  const filesWithoutTests = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  // app/testing/take-again.ts
  const notMeasured = tests.filter(({ status, meta }) => status === 'failed' && meta.notMeasured).length;
  return { passed, notMeasured, failed: tests.length - passed - notMeasured + filesWithoutTests };
}
