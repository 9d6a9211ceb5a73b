import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { outputOf, run } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { toolCommand } from '../tools.mjs';

const testFile = /(\.(test|spec|browser|chromium|package|screens)\.[cm]?[jt]sx?|_test\.\w+)$/;
/** As in e2e/playwright.config.ts and native/CMakeLists.txt; examples are run by tests of the suite `testkit`. */
const runElsewhere = [
  /^e2e\/.*\.(spec|browser|chromium|package|screens)\.ts$/,
  /^native\/tests\/[^/]+_test\.cc$/,
  /^docs\/examples\//,
];

/** What no test may have, and where; what a suite leaves out there would run in none. */
const forbidden = [
  { in: /./, text: /^\s*(retry|retries):|\{ retry:/m, why: 'no test is tried again' },
  {
    in: /-against-tools\.test\.ts$/,
    without: /@module-tag machine/,
    why: 'the suite runs those for a quiet machine alone',
  },
  {
    in: /\.witness\.test\.ts$|\.(browser|chromium|package|screens)\.ts$/,
    text: /'@?machine'/,
    why: 'no suite runs those for a quiet machine',
  },
];

function forbiddenIn(file) {
  const content = readFileSync(path.join(rootFolder, file), 'utf8');
  return forbidden.filter(
    (one) => one.in.test(file) && (one.text?.test(content) || one.without?.test(content) === false),
  );
}

/** Reports the test files that no suite runs, those that run twice, and what no test may have. */
export async function testFilesInSuites(onLine) {
  const files = [];
  const git = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    onLine: (line) => files.push(line),
  });
  if (git.status !== 0) {
    // A copy without its .git folder, or one that belongs to another user.
    onLine(`git does not list the files: ${git.lastLines.join(' ')}`);
    return false;
  }
  const listed = outputOf(process.execPath, toolCommand('vitest', ['list', '--filesOnly', '--json']), {
    cwd: rootFolder,
  });
  if (listed === null) {
    onLine('Vitest does not list its test files.');
    return false;
  }
  const ofVitest = JSON.parse(listed).map(({ file }) =>
    path.relative(rootFolder, file).replaceAll(path.sep, '/'),
  );
  const runs = (file) =>
    ofVitest.filter((one) => one === file).length +
    runElsewhere.filter((pattern) => pattern.test(file)).length;
  const wrong = files.filter((file) => testFile.test(file) && runs(file) !== 1);
  for (const file of wrong) onLine(`${file}: ${runs(file)} suites run it, and one must.`);
  const against = files
    .filter((file) => testFile.test(file) && existsSync(path.join(rootFolder, file)))
    .flatMap((file) => forbiddenIn(file).map(({ why }) => `${file}: ${why}.`));
  for (const line of against) onLine(line);
  return wrong.length + against.length === 0;
}
