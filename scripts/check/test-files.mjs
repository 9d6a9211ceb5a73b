import path from 'node:path';
import { outputOf, run } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { toolCommand } from '../tools.mjs';

const testFile = /(\.(test|spec|browser|package)\.[cm]?[jt]sx?|_test\.\w+)$/;
/** As in e2e/playwright.config.ts and native/CMakeLists.txt. */
const runElsewhere = [/^e2e\/.*\.(spec|browser|package)\.ts$/, /^native\/tests\/[^/]+_test\.cc$/];

/** Reports the test files that no suite runs, and those that run twice. */
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
  return wrong.length === 0;
}
