import path from 'node:path';
import { outputOf } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { toolCommand } from '../tools.mjs';

const testFile = /(\.(test|spec|browser|package)\.[cm]?[jt]sx?|_test\.\w+)$/;
/** As in e2e/playwright.config.ts and native/CMakeLists.txt. */
const runElsewhere = [/^e2e\/.*\.(spec|browser|package)\.ts$/, /^native\/tests\/[^/]+_test\.cc$/];

/** Reports the test files that no suite runs, and those that run twice. */
export function testFilesInSuites(onLine) {
  const files = outputOf('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: rootFolder,
  });
  const listed = outputOf(process.execPath, toolCommand('vitest', ['list', '--filesOnly', '--json']), {
    cwd: rootFolder,
  });
  if (files === null || listed === null) {
    onLine(files === null ? 'git does not list the files.' : 'Vitest does not list its test files.');
    return false;
  }
  const ofVitest = JSON.parse(listed).map(({ file }) =>
    path.relative(rootFolder, file).replaceAll(path.sep, '/'),
  );
  const runs = (file) =>
    ofVitest.filter((one) => one === file).length +
    runElsewhere.filter((pattern) => pattern.test(file)).length;
  const wrong = files.split('\n').filter((file) => testFile.test(file) && runs(file) !== 1);
  for (const file of wrong) onLine(`${file}: ${runs(file)} suites run it, and one must.`);
  return wrong.length === 0;
}
