import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';
import { runTool } from '../tools.mjs';
import { counted, countReport } from './counts.mjs';
import { failureOf } from './failures.mjs';

const reporter = path.join(rootFolder, 'scripts/test/vitest-reporter.mjs');

/**
 * Runs projects of vitest.config.ts: those of a name, which may have a `*`.
 * @param {string} [tags] `machine` for the tests that need a quiet machine; by default all others
 */
export function runVitest(project, tags = '!machine') {
  return countReport(
    `${project.replace('*', '')}${tags === 'machine' ? '-machine' : ''}.json`,
    async (reportFile) => {
      const reporters = ['--reporter=default', `--reporter=${reporter}`];
      const { status } = await runTool(
        'vitest',
        ['run', '--project', project, '--tagsFilter', tags, ...reporters],
        {
          stdio: ['ignore', 'inherit', 'inherit'],
          env: { ...process.env, WHITELINE_VITEST_REPORT: reportFile, WHITELINE_VITEST_TAGS: tags },
        },
      );
      return status;
    },
    countsOfVitest,
  );
}

/**
 * A test that was skipped has not passed.
 * @param {object} report of vitest-reporter.mjs
 */
export function countsOfVitest({ tests, others }) {
  const passed = tests.filter(({ state }) => state === 'passed');
  const notMeasured = tests.filter((test) => test.state === 'failed' && test.notMeasured !== null);
  const failed = tests.filter((test) => !passed.includes(test) && !notMeasured.includes(test));
  const failures = [
    ...failed.map(({ name, errors, state }) => failureOf(name, errors.join('\n') || state)),
    ...others.map(({ name, error }) => failureOf(name, error)),
  ];
  return counted(
    passed.length,
    failures,
    notMeasured.map(({ name, notMeasured }) => ({ name, reason: notMeasured })),
    tests.map(({ name, seconds }) => ({ name, seconds })),
  );
}
