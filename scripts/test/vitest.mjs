import { runTool } from '../tools.mjs';
import { counted, countReport } from './counts.mjs';
import { failureOf } from './failures.mjs';

/** Runs projects of vitest.config.ts: those of a name, which may have a `*`. */
export function runVitest(project) {
  return countReport(
    `${project.replace('*', '')}.json`,
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

/** Vitest leaves this word in the place of the reason where a test runs into its time limit. */
function reasonOf(message) {
  return message.replace('STACK_TRACE_ERROR', 'the test did not end within its time limit');
}

/** A test that was skipped has not passed. */
export function countsOfVitest({ testResults }) {
  const emptyFiles = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed');
  // app/testing/take-again.ts
  const notMeasured = tests.filter(({ status, meta }) => status === 'failed' && meta.notMeasured);
  const failed = tests.filter((one) => !passed.includes(one) && !notMeasured.includes(one));
  const failures = [
    ...failed.map(({ fullName, status, failureMessages }) =>
      failureOf(fullName, reasonOf(failureMessages[0] ?? status)),
    ),
    ...emptyFiles.map(({ name, message }) => failureOf(name, message)),
  ];
  return counted(
    passed.length,
    failures,
    notMeasured.map(({ fullName }) => fullName),
    tests.map(({ fullName, duration }) => ({ name: fullName, seconds: (duration ?? 0) / 1000 })),
  );
}
