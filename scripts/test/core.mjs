import os from 'node:os';
import path from 'node:path';
import { buildNative, nativeBuildFolder } from '../native-build.mjs';
import { run } from '../setup/command.mjs';
import { note, step } from '../setup/report.mjs';
import { counted, countReport, sumOf } from './counts.mjs';
import { failureOf } from './failures.mjs';
import { watchStolenCpu } from './stolen-cpu.mjs';
import { runVitest } from './vitest.mjs';

// A test that hangs must not hold up the suites after it.
const executableTimeoutMs = 600_000;
const mostTries = 3;
// Not the status of a failed test, nor what the user's environment sets.
const sanitizerOptions = { ASAN_OPTIONS: 'exitcode=66', TSAN_OPTIONS: 'exitcode=66' };
// ThreadSanitizer can find nothing in these suites: they never call pthread_create. Short ones are not listed.
const threadless = [
  '*/AgainstFfmpeg',
  '*/CodeInFormat',
  '*/CodeInShape',
  '*/DamagedFrame',
  '*/HapBesideFfmpeg',
  '*/TextureConversion',
  '*/ToneTest',
  'ContentGenerators',
  'DamagedFrames',
  'DamagedMovie',
  'HapBesideReference',
  'HapClips',
  'Mask',
  'MovieEdits',
  'MovieIndex',
  'PacerIntervals',
  'PacerWireshark',
  'PictureClassifier',
  'Preview',
  'TextureBptc',
  'TexturePalette',
];
const withoutThreadless = `--gtest_filter=-${threadless.map((suite) => `${suite}.*`).join(':')}`;
const print = (line) => process.stdout.write(`${line}\n`);

export function runCoreTests() {
  return runGoogleTests('test-plain');
}

export async function runSanitizedCoreTests() {
  const counts = [await runGoogleTests('test-asan'), await runGoogleTests('test-tsan')];
  return sumOf(counts);
}

/** The helper executables are built with the tests of the core. */
export async function runHelperTests() {
  await build('test-plain');
  return runVitest('helpers');
}

function build(kind) {
  return step(kind, `building native/build-${kind}`, (onProgress) => buildNative(kind, onProgress));
}

/** Every processor takes its share of the tests, each share in a process of its own. */
async function runGoogleTests(kind) {
  await build(kind);
  const stolenCpu = await watchStolenCpu();
  const startedMs = stolenCpu.now();
  const shardCount = os.availableParallelism();
  const filter = kind === 'test-tsan' ? [withoutThreadless] : [];
  const runShard = (shard) =>
    runExecutable(kind, `${kind}-${shard + 1}.json`, filter, {
      GTEST_TOTAL_SHARDS: String(shardCount),
      GTEST_SHARD_INDEX: String(shard),
    });
  const first = sumOf(await Promise.all(Array.from({ length: shardCount }, (_, shard) => runShard(shard))));
  return takenAgain(first, stolenCpu, startedMs, (names, attempt) =>
    runExecutable(kind, `${kind}-try-${attempt}.json`, [`--gtest_filter=${names.join(':')}`]),
  );
}

/**
 * Repeats the timing tests that failed while a hypervisor took the CPU away. They run by themselves, when it leaves the machine
 * alone. If it took the CPU from each try, they were not measured. A test that fails with the CPU to itself has failed.
 * @param {(names: string[], attempt: number) => Promise<ReturnType<typeof counted>>} runAgain
 */
export async function takenAgain(first, stolenCpu, firstStartedMs, runAgain) {
  const { times } = first;
  let { passed, failures } = first;
  let startedMs = firstStartedMs;
  for (let attempt = 2; failures.length > 0; attempt += 1) {
    const stolen = stolenCpu.since(startedMs);
    if (!stolen || !failures.every(({ isTiming }) => isTiming)) return counted(passed, failures, [], times);
    note('test', `${failures.length} failed while ${stolen}`);
    const names = failures.map(({ name }) => name);
    if (attempt > mostTries) return counted(passed, [], names, times);
    await stolenCpu.calm();
    startedMs = stolenCpu.now();
    const again = await runAgain(names, attempt);
    passed += again.passed;
    failures = again.failures;
  }
  return counted(passed, failures, [], times);
}

/** Runs the tests of one build; resolves to what its report counts. */
function runExecutable(kind, reportName, flags, variables = {}) {
  const executable = path.join(nativeBuildFolder(kind), 'whiteline_core_tests');
  return countReport(
    reportName,
    async (reportFile) => {
      const allFlags = [...flags, '--gtest_brief=1', `--gtest_output=json:${reportFile}`];
      const { status, signal, lastLines } = await run(...withFixedAddresses(kind, executable, allFlags), {
        env: { ...withoutGoogleTest(process.env), ...sanitizerOptions, ...variables },
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

/** Variables such as GTEST_FILTER would leave tests out. */
function withoutGoogleTest(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GTEST_')));
}

// ThreadSanitizer's shadow memory collides with addresses that newer kernels randomise more widely than it expects.
export function withFixedAddresses(kind, executable, flags) {
  const isFixed = kind === 'test-tsan' && process.platform === 'linux';
  return isFixed ? ['setarch', ['-R', executable, ...flags]] : [executable, flags];
}

/** A test that was skipped has not passed, so it counts as failed. */
function countsOfGoogleTest(report) {
  const tests = report.testsuites.flatMap((suite) => suite.testsuite);
  const failed = tests.filter((test) => test.result !== 'COMPLETED' || test.failures);
  return counted(
    tests.length - failed.length,
    failed.map(({ classname, name, result, failures, timing }) => ({
      ...failureOf(`${classname}.${name}`, failures?.[0].failure ?? result),
      // native/tests/timing.h
      isTiming: timing !== undefined,
    })),
    [],
    tests.map(({ classname, name, time }) => ({
      name: `${classname}.${name}`,
      seconds: Number.parseFloat(time),
    })),
  );
}
