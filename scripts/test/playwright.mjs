import { rmSync } from 'node:fs';
import path from 'node:path';
import { withDisplays } from '../setup/display.mjs';
import { note } from '../setup/report.mjs';
import { runTool } from '../tools.mjs';
import { counted, countReport, resultFolder } from './counts.mjs';
import { failureOf } from './failures.mjs';
import { ordinaryUser } from './ordinary-user.mjs';
import { withSmallDisk } from './small-disk.mjs';
import { words } from './words.mjs';

/** Each worker of Playwright has one. Much of a test is waiting for NDI: a third one uses what two leave of two processors. */
const displayCount = 3;
const smallDiskFolder = path.join(resultFolder, 'small-disk');

/**
 * Runs one of the projects of e2e/playwright.config.ts against the real app, on displays of its own.
 * @param {{ variables?: Record<string, string>, isMachine?: boolean, chosen?: string[] }} [options] more environment variables for
 *   the project's tests; those that need a quiet machine, and by default all others; more words for Playwright
 */
export function runPlaywright(
  project,
  electronExecutable,
  { variables = {}, isMachine = false, chosen = words } = {},
) {
  const name = isMachine ? `${project}-machine` : project;
  const playwrightFolder = path.join(resultFolder, 'e2e', name);
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
      [
        ...['test', '--config', 'e2e/playwright.config.ts', '--project', project],
        // A folder of the ordinary user's.
        ...['--output', path.join(playwrightFolder, 'artifacts')],
        // What needs a quiet machine has it to itself.
        ...(isMachine ? ['--grep', '@machine', '--workers', '1'] : ['--grep-invert', '@machine']),
        ...chosen,
      ],
      { stdio: ['ignore', 'inherit', 'inherit'], env: environment, ...user.spawnOptions },
    );
    return status;
  };
  return withDisplays(displayCount, (displays) =>
    withSmallDisk(smallDiskFolder, user.spawnOptions, (smallDisk) =>
      countReport(`e2e/${name}/report.json`, runOn(displays, smallDisk), countsOfPlaywright),
    ),
  );
}

/** A test that was skipped has not passed. */
export function countsOfPlaywright({ suites, errors }) {
  const tests = suites.flatMap(testsOf);
  const passed = tests.filter(({ status }) => status === 'expected');
  const notMeasured = tests.filter((test) => test.status === 'unexpected' && whyNotMeasured(test));
  const failed = tests.filter((test) => !passed.includes(test) && !notMeasured.includes(test));
  const failures = [
    ...failed.map(({ title, status, results }) => failureOf(title, lastErrorOf(results) ?? status)),
    ...errors.map(({ message }) => failureOf('outside the tests', message)),
  ];
  return counted(
    passed.length,
    failures,
    notMeasured.map((test) => ({ name: test.title, reason: whyNotMeasured(test) })),
    tests.map(({ title, results }) => ({ name: title, seconds: secondsOf(results) })),
  );
}

const secondsOf = (results) => results.reduce((sum, { duration }) => sum + (duration ?? 0) / 1000, 0);

const lastErrorOf = (results) => results.flatMap(({ errors }) => errors).at(-1)?.message;

/** As e2e/not-measured.ts says. */
const whyNotMeasured = ({ results }) =>
  results.flatMap(({ annotations }) => annotations).find(({ type }) => type === 'not measured')?.description;

const testsOf = ({ specs, suites = [] }) => [
  ...specs.flatMap(({ title, tests }) => tests.map((test) => ({ ...test, title }))),
  ...suites.flatMap(testsOf),
];
