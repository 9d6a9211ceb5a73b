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

function countsOfVitest(report) {
  const filesWithoutTests = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numTotalTests - report.numPassedTests + filesWithoutTests,
  };
}
