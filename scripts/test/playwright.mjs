import { rmSync } from 'node:fs';
import path from 'node:path';
import { withDisplays } from '../setup/display.mjs';
import { note } from '../setup/report.mjs';
import { runTool } from '../tools.mjs';
import { counted, countReport, resultFolder } from './counts.mjs';
import { failureOf } from './failures.mjs';
import { ordinaryUser } from './ordinary-user.mjs';
import { withSmallDisk } from './small-disk.mjs';

/** Each worker of Playwright has one. */
const displayCount = 2;
const smallDiskFolder = path.join(resultFolder, 'small-disk');

/**
 * Runs one of the projects of e2e/playwright.config.ts against the real app, on displays of its own.
 * @param {Record<string, string>} [variables] more environment variables for the project's tests
 */
export function runPlaywright(project, electronExecutable, variables = {}) {
  const playwrightFolder = path.join(resultFolder, 'e2e', project);
  rmSync(playwrightFolder, { recursive: true, force: true });
  const user = ordinaryUser(electronExecutable, playwrightFolder);
  note('e2e', user.sentence);
  const runOn = (displays, smallDisk) => async (reportFile) => {
    const environment = {
      ...process.env,
      ...user.environment,
      ...variables,
      DISPLAY: displays[0],
      WHITELINE_DISPLAYS: displays.join(' '),
      WHITELINE_ELECTRON: electronExecutable,
      WHITELINE_SMALL_DISK: smallDisk ?? '',
      PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile,
    };
    const { status } = await runTool(
      'playwright',
      ['test', '--config', 'e2e/playwright.config.ts', '--project', project],
      { stdio: ['ignore', 'inherit', 'inherit'], env: environment, ...user.spawnOptions },
    );
    return status;
  };
  return withDisplays(displayCount, (displays) =>
    withSmallDisk(smallDiskFolder, user.spawnOptions, (smallDisk) =>
      countReport(`e2e/${project}/report.json`, runOn(displays, smallDisk), countsOfPlaywright),
    ),
  );
}

/** A test that was skipped has not passed, and none may be tried again but for what e2e/take-again.ts says of its try. */
export function countsOfPlaywright({ suites, errors }) {
  const tests = suites.flatMap(testsOf);
  const mayFail = ({ results }) =>
    results.every(({ status, annotations }) => status === 'passed' || isNotMeasured(annotations));
  const passed = tests.filter(
    (test) => test.status === 'expected' || (test.status === 'flaky' && mayFail(test)),
  );
  const notMeasured = tests.filter((test) => test.status === 'unexpected' && mayFail(test));
  const failed = tests.filter((test) => !passed.includes(test) && !notMeasured.includes(test));
  const failures = [
    ...failed.map(({ title, status, results }) => failureOf(title, lastErrorOf(results) ?? status)),
    ...errors.map(({ message }) => failureOf('outside the tests', message)),
  ];
  return counted(
    passed.length,
    failures,
    notMeasured.map(({ title }) => title),
    tests.map(({ title, results }) => ({ name: title, seconds: secondsOf(results) })),
  );
}

const secondsOf = (results) => results.reduce((sum, { duration }) => sum + (duration ?? 0) / 1000, 0);

const lastErrorOf = (results) => results.flatMap(({ errors }) => errors).at(-1)?.message;

const isNotMeasured = (annotations) => annotations.some(({ type }) => type === 'not measured');

const testsOf = ({ specs, suites = [] }) => [
  ...specs.flatMap(({ title, tests }) => tests.map((test) => ({ ...test, title }))),
  ...suites.flatMap(testsOf),
];
