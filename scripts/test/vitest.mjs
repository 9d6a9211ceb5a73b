import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';
import { runTool } from '../tools.mjs';
import { counted, countReport } from './counts.mjs';
import { failureOf } from './failures.mjs';

const reporter = path.join(rootFolder, 'scripts/test/vitest-reporter.mjs');

/** Runs projects of vitest.config.ts: those of a name, which may have a `*`. */
export function runVitest(project) {
  return countReport(
    `${project.replace('*', '')}.json`,
    async (reportFile) => {
      const reporters = ['--reporter=default', `--reporter=${reporter}`];
      const { status } = await runTool('vitest', ['run', '--project', project, ...reporters], {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, WHITELINE_VITEST_REPORT: reportFile },
      });
      return status;
    },
    countsOfVitest,
  );
}

/**
 * A test that was skipped has not passed, nor has one that is no timing test and was tried again.
 * @param {object} report of vitest-reporter.mjs
 */
export function countsOfVitest({ tests, others }) {
  const isWronglyRepeated = ({ isTiming, retries }) => retries > 0 && !isTiming;
  const passed = tests.filter((test) => test.state === 'passed' && !isWronglyRepeated(test));
  const notMeasured = tests.filter(isNotMeasured);
  const failed = tests.filter((test) => !passed.includes(test) && !notMeasured.includes(test));
  const failures = [
    ...failed.map((test) =>
      failureOf(
        test.name,
        test.state === 'passed'
          ? 'it was tried again, which only a timing test may be'
          : test.errors.join('\n') || test.state,
      ),
    ),
    ...others.map(({ name, error }) => failureOf(name, error)),
  ];
  return counted(
    passed.length,
    failures,
    notMeasured.map(({ name }) => name),
    tests.map(({ name, seconds }) => ({ name, seconds })),
  );
}

/** The last try carries the mark, and nothing failed after it: app/testing/take-again.ts. */
function isNotMeasured({ state, notMeasured, errors }) {
  return state === 'failed' && notMeasured !== null && (errors.at(-1) ?? '').includes(notMeasured);
}
