import os from 'node:os';
import path from 'node:path';
import { buildNative, nativeBuildFolder } from '../native-build.mjs';
import { run } from '../setup/command.mjs';
import { step } from '../setup/report.mjs';
import { counted, countReport, sumOf } from './counts.mjs';
import { failureOf } from './failures.mjs';

// A test that hangs must not hold up the suites after it.
const executableTimeoutMs = 600_000;
const print = (line) => process.stdout.write(`${line}\n`);

export function runCoreTests() {
  return runGoogleTests('test-plain');
}

export async function runSanitizedCoreTests() {
  const counts = [await runGoogleTests('test-asan'), await runGoogleTests('test-tsan')];
  return sumOf(counts);
}

/** Every processor takes its share of the tests, each share in a process of its own. */
async function runGoogleTests(kind) {
  await step(kind, `building native/build-${kind}`, (onProgress) => buildNative(kind, onProgress));
  const shardCount = os.availableParallelism();
  const shards = Array.from({ length: shardCount }, (_, shard) => runShard(kind, shard, shardCount));
  return sumOf(await Promise.all(shards));
}

function runShard(kind, shard, shardCount) {
  const executable = path.join(nativeBuildFolder(kind), 'whiteline_core_tests');
  return countReport(
    `${kind}-${shard + 1}.json`,
    async (reportFile) => {
      const flags = ['--gtest_brief=1', `--gtest_output=json:${reportFile}`];
      const { status, signal, lastLines } = await run(...withFixedAddresses(kind, executable, flags), {
        env: { ...process.env, GTEST_TOTAL_SHARDS: String(shardCount), GTEST_SHARD_INDEX: String(shard) },
        onLine: print,
        timeout: executableTimeoutMs,
      });
      if (status === 127) print(lastLines.join('\n'));
      if (signal) print(`${kind}: ended by ${signal}; tests may take ${executableTimeoutMs / 1000} s`);
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
  const failed = tests.filter((test) => test.result !== 'COMPLETED' || test.failures);
  return counted(
    tests.length - failed.length,
    failed.map(({ classname, name, result, failures }) =>
      failureOf(`${classname}.${name}`, failures?.[0].failure ?? result),
    ),
  );
}
