import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';
import { runTool } from '../tools.mjs';
import { counted, countReport } from './counts.mjs';
import { failureOf } from './failures.mjs';
import { words } from './words.mjs';

const reporter = path.join(rootFolder, 'scripts/test/vitest-reporter.mjs');

/**
 * Runs projects of vitest.config.ts: those of a name, which may have a `*`.
 * @param {string} [tags] `machine` for the tests that need a quiet machine; by default all others
 * @param {string[]} [files] some files and folders of the project's; by default all. One without a test has failed
 * @param {{ executable: string, version: string }} [node] runs them; by default the Node that runs this
 */
export function runVitest(project, tags = '!machine', files = [], node = null) {
  const name = files.length > 0 ? 'chosen-files' : project.replace('*', '');
  return countReport(
    `${name}${tags === 'machine' ? '-machine' : ''}.json`,
    async (reportFile) => {
      const reporters = ['--reporter=default', `--reporter=${reporter}`];
      const { status } = await runTool(
        'vitest',
        ['run', '--project', project, '--tagsFilter', tags, ...reporters, ...files, ...words],
        {
          stdio: ['ignore', 'inherit', 'inherit'],
          env: {
            ...process.env,
            WHITELINE_VITEST_REPORT: reportFile,
            WHITELINE_VITEST_TAGS: tags,
            ...(node && environmentOf(node)),
          },
        },
        node?.executable,
      );
      return status;
    },
    (report) => countsOfVitest(words.length > 0 ? withoutSkipped(report) : report, files),
  );
}

/** A word may leave tests out, as `-t` does. */
function withoutSkipped({ tests, others }) {
  return { tests: tests.filter(({ state }) => state !== 'skipped'), others };
}

/** `app/testing/asked-node.ts` fails where another Node runs. */
function environmentOf({ executable, version }) {
  const folders = [path.dirname(executable), process.env.PATH];
  return { PATH: folders.join(path.delimiter), WHITELINE_NODE_VERSION: version };
}

/**
 * A test that was skipped has not passed.
 * @param {object} report of vitest-reporter.mjs
 * @param {string[]} [files] that were asked for: Vitest proves nothing about one that it does not find
 */
export function countsOfVitest({ tests, others }, files = []) {
  const passed = tests.filter(({ state }) => state === 'passed');
  const notMeasured = tests.filter((test) => test.state === 'failed' && test.notMeasured !== null);
  const failed = tests.filter((test) => !passed.includes(test) && !notMeasured.includes(test));
  const failures = [
    ...failed.map(({ file, name, errors, state }) =>
      failureOf(`${file} > ${name}`, errors.join('\n') || state),
    ),
    ...others.map(({ name, error }) => failureOf(name, error)),
    ...files
      .filter((file) => !tests.some((test) => `${test.file}/`.startsWith(`${file}/`)))
      .map((file) => failureOf(file, 'no test of it ran')),
  ];
  return counted(
    passed.length,
    failures,
    notMeasured.map(({ name, notMeasured }) => ({ name, reason: notMeasured })),
    tests.map(({ name, seconds }) => ({ name, seconds })),
  );
}
