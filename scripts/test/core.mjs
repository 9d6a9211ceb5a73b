import path from 'node:path';
import { buildNative, nativeBuildFolder } from '../native-build.mjs';
import { run } from '../setup/command.mjs';
import { step } from '../setup/report.mjs';
import { countReport, sumOf } from './counts.mjs';

// A test that hangs must not hold up the suites after it.
const executableTimeoutMs = 300_000;
const print = (line) => process.stdout.write(`${line}\n`);

export function runCoreTests() {
  return runGoogleTests('test-plain');
}

export async function runSanitizedCoreTests() {
  const counts = [await runGoogleTests('test-asan'), await runGoogleTests('test-tsan')];
  return sumOf(counts);
}

async function runGoogleTests(kind) {
  await step(kind, `building native/build-${kind}`, (onProgress) => buildNative(kind, onProgress));
  const executable = path.join(nativeBuildFolder(kind), 'whiteline_core_tests');
  return countReport(
    `${kind}.json`,
    async (reportFile) => {
      const flags = ['--gtest_brief=1', `--gtest_output=json:${reportFile}`];
      const { status, lastLines } = await run(...withFixedAddresses(kind, executable, flags), {
        onLine: print,
        timeout: executableTimeoutMs,
      });
      if (status === 127) print(lastLines.join('\n'));
      return status;
    },
    countsOfGoogleTest,
  );
}

// ThreadSanitizer's shadow memory collides with addresses that newer kernels randomise more widely than it expects.
function withFixedAddresses(kind, executable, flags) {
  const isFixed = kind === 'test-tsan' && process.platform === 'linux';
  return isFixed ? ['setarch', ['-R', executable, ...flags]] : [executable, flags];
}

/** A test that was skipped has not passed, so it counts as failed. */
function countsOfGoogleTest(report) {
  const tests = report.testsuites.flatMap((suite) => suite.testsuite);
  const passed = tests.filter((test) => test.result === 'COMPLETED' && !test.failures).length;
  return { passed, failed: tests.length - passed };
}
