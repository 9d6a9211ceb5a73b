import os from 'node:os';
import path from 'node:path';
import { buildNative, nativeBuildFolder } from '../native-build.mjs';
import { run } from '../setup/command.mjs';
import { step } from '../setup/report.mjs';
import { counted, countReport, sumOf } from './counts.mjs';
import { failureOf } from './failures.mjs';
import { runVitest } from './vitest.mjs';
import { words } from './words.mjs';

// A test that hangs must not hold up the suites after it.
const executableTimeoutMs = 600_000;
// Not the status of a failed test, nor what the user's environment sets.
const sanitizerOptions = { ASAN_OPTIONS: 'exitcode=66', TSAN_OPTIONS: 'exitcode=66' };
/** By their names. */
const onQuietMachine = '*OnQuietMachine';
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
  await buildHelpers();
  return runVitest('helpers');
}

/** With what else the tests of helpers need. */
export function buildHelpers() {
  return build('test-plain');
}

/** Thousands of pictures over real NDI, each judged. */
export async function runWitnessTests() {
  await build('test-plain');
  return runVitest('witness');
}

function build(kind) {
  return step(kind, `building native/build-${kind}`, (onProgress) => buildNative(kind, onProgress));
}

/** Every processor takes its share of the tests, each share in a separate process. */
async function runGoogleTests(kind) {
  await build(kind);
  // A word may choose fewer tests than there are processors.
  const shardCount = words.length > 0 ? 1 : os.availableParallelism();
  const left = [onQuietMachine, ...(kind === 'test-tsan' ? threadless.map((suite) => `${suite}.*`) : [])];
  const filter = [`--gtest_filter=-${left.join(':')}`];
  const runShard = (shard) =>
    runExecutable(kind, `${kind}-${shard + 1}.json`, filter, {
      GTEST_TOTAL_SHARDS: String(shardCount),
      GTEST_SHARD_INDEX: String(shard),
    });
  return sumOf(await Promise.all(Array.from({ length: shardCount }, (_, shard) => runShard(shard))));
}

/** The tests that wait for threads and clocks to be in time, one at a time. */
export async function runCoreTestsOnQuietMachine() {
  await build('test-plain');
  return runExecutable('test-plain', 'test-plain-quiet.json', [`--gtest_filter=${onQuietMachine}`]);
}

/** Runs the tests of one build; resolves to what its report counts. */
function runExecutable(kind, reportName, flags, variables = {}) {
  const executable = path.join(nativeBuildFolder(kind), 'whiteline_core_tests');
  return countReport(
    reportName,
    async (reportFile) => {
      const allFlags = [...flags, '--gtest_brief=1', `--gtest_output=json:${reportFile}`, ...words];
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
export function countsOfGoogleTest(report) {
  const tests = report.testsuites.flatMap((suite) => suite.testsuite);
  const failed = tests.filter((test) => test.result !== 'COMPLETED' || test.failures);
  return counted(
    tests.length - failed.length,
    failed.map(({ classname, name, result, failures }) =>
      failureOf(`${classname}.${name}`, failures?.[0].failure ?? result),
    ),
    [],
    tests.map(({ classname, name, time }) => ({
      name: `${classname}.${name}`,
      seconds: Number.parseFloat(time),
    })),
  );
}
