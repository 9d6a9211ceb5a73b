import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildNative, nativeBuildFolder } from '../native-build.mjs';
import { run } from '../setup/command.mjs';
import { rootFolder, runtimeFolder } from '../setup/platform.mjs';
import { note, seconds, step } from '../setup/report.mjs';
import { runTool } from '../tools.mjs';
import { counted } from './counts.mjs';
import { failureOf } from './failures.mjs';

const kind = 'test-asan';
const sourceSuffix = '_fuzz.cc';
const fuzzFolder = path.join(rootFolder, 'native/fuzz');
const secondsOfTest = 10;

/** The short form, from the seed corpus on: one test for each target. */
export function runFuzzTests() {
  return fuzzAll(secondsOfTest);
}

/**
 * Builds every target and runs it for so long, on each processor one at a time. What is learned is kept for the next time, and
 * not in the build folder, which may be made again.
 */
export async function fuzzAll(durationSeconds) {
  await step('fuzz', 'building the targets', (onProgress) => buildNative(kind, onProgress));
  const targets = readdirSync(fuzzFolder).filter((name) => name.endsWith(sourceSuffix));
  const targetCount = targets.length;
  const failures = [];
  const fuzzRest = async () => {
    for (let target = targets.shift(); target !== undefined; target = targets.shift()) {
      const name = path.basename(target, '.cc');
      const found = await fuzz(name, durationSeconds);
      if (found !== null) failures.push(failureOf(name, found));
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, fuzzRest));
  return counted(targetCount - failures.length, failures);
}

/** Gives the readers in TypeScript `cases` values (app/testing/fuzz); the unit tests have the short form. */
export async function fuzzReaders(cases) {
  const { status } = await runTool('vitest', ['run', '--project', 'unit', 'app/testing/fuzz'], {
    stdio: 'inherit',
    env: { ...process.env, WHITELINE_FUZZ_CASES: String(cases) },
  });
  return status;
}

/** What was found, null for nothing. A seed corpus may lie beside the target. */
async function fuzz(target, durationSeconds) {
  const startedMs = Date.now();
  const learnedFolder = path.join(runtimeFolder, 'corpus', target);
  mkdirSync(learnedFolder, { recursive: true });
  const seedFolder = path.join(fuzzFolder, 'corpus', target);
  const folders = existsSync(seedFolder) ? [learnedFolder, seedFolder] : [learnedFolder];
  const flags = [`-max_total_time=${durationSeconds}`, '-print_final_stats=1', '-verbosity=0'];
  const lines = [];
  const { status } = await run(path.join(nativeBuildFolder(kind), target), [...flags, ...folders], {
    cwd: nativeBuildFolder(kind),
    onLine: (line) => lines.push(line),
  });
  const report = lines.join('\n');
  if (status !== 0) process.stdout.write(`${report}\n`);
  const executions = /number_of_executed_units: (\d+)/.exec(report)?.[1] ?? 'an unknown number of';
  const outcome = status === 0 ? 'found nothing' : `FAILED (status ${status})`;
  note('fuzz', `${target} ${outcome} in ${executions} executions, ${seconds(startedMs)}`);
  return status === 0 ? null : report;
}
