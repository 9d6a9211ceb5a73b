import { pathToFileURL } from 'node:url';
import { boundaryViolations } from './boundaries.mjs';
import { clangTidy } from './check/clang-tidy.mjs';
import { nativeSourceFiles } from './check/native-files.mjs';
import { testFilesInSuites } from './check/test-files.mjs';
import { chosenNames } from './chosen.mjs';
import { run } from './setup/command.mjs';
import { rootFolder } from './setup/platform.mjs';
import { note, runMain, seconds } from './setup/report.mjs';
import { counted } from './test/counts.mjs';
import { failureOf } from './test/failures.mjs';
import { runTool } from './tools.mjs';

// Each check hands what it has to say to `onLine`, and resolves to whether all is well.
const checks = {
  lint,
  types,
  boundaries,
  'test-files': testFilesInSuites,
  'clang-format': clangFormat,
  'clang-tidy': clangTidy,
};

async function clangFormat(onLine) {
  const { status, lastLines } = await run('clang-format', ['--dry-run', '-Werror', ...nativeSourceFiles()], {
    onLine,
  });
  if (status === 127) onLine(lastLines.join(' '));
  return status === 0;
}

async function lint(onLine) {
  const flags = ['ci', '--colors=off', '--error-on-warnings', '.'];
  return (await runTool('biome', flags, { onLine })).status === 0;
}

async function types(onLine) {
  const results = [];
  for (const project of ['app', 'testkit', 'renderer', 'e2e']) {
    results.push(await runTool('tsc', ['--project', `tsconfig.${project}.json`], { onLine }));
  }
  return results.every(({ status }) => status === 0);
}

async function boundaries(onLine) {
  const violations = boundaryViolations();
  for (const { file, line, specifier, reason } of violations)
    onLine(`${file}:${line} '${specifier}': ${reason}`);
  return violations.length === 0;
}

/** Runs the checks named, or all; resolves to how many passed and failed. */
export async function runChecks(words = []) {
  const names = chosenNames(words, Object.keys(checks), 'check', 'correct its name');
  const failures = [];
  for (const name of names) {
    const startedMs = Date.now();
    const lines = [];
    const isGood = await checks[name]((line) => lines.push(line));
    if (!isGood) process.stdout.write(`${lines.join('\n')}\n`);
    note('check', `${name} ${isGood ? 'passed' : 'FAILED'} in ${seconds(startedMs)}`);
    if (!isGood) failures.push(failureOf(name, lines.join('\n')));
  }
  return counted(names.length - failures.length, failures);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.chdir(rootFolder);
  await runMain(async () => {
    const { failures } = await runChecks(process.argv.slice(2));
    const failed = failures.map(({ name }) => name);
    const isFormat = failed.includes('lint') || failed.includes('clang-format');
    const remedy = isFormat ? '; npm run format corrects the format' : '';
    note('check', failed.length === 0 ? 'all passed' : `FAILED: ${failed.join(', ')}${remedy}`);
    return failures.length > 0 ? 1 : 0;
  });
}
