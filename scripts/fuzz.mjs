import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildNative, nativeBuildFolder } from './native-build.mjs';
import { ensureSystemPackages } from './setup/apt.mjs';
import { run } from './setup/command.mjs';
import { rootFolder } from './setup/platform.mjs';
import { note, runMain, SetupError, seconds, step } from './setup/report.mjs';

const sourceSuffix = '_fuzz.cc';
const fuzzFolder = path.join(rootFolder, 'native/fuzz');

await runMain(async () => {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
  if (!/^[1-9]\d*$/.test(values.seconds)) {
    throw new SetupError(
      `Expected a whole number above 0 for --seconds but received ${values.seconds}.`,
      'npm run fuzz -- --seconds 60',
    );
  }
  await ensureSystemPackages(['build', 'test']);
  await step('fuzz', 'building the targets', (onProgress) => buildNative('fuzz', onProgress));
  const targets = readdirSync(fuzzFolder).filter((name) => name.endsWith(sourceSuffix));
  const statuses = [];
  for (const target of targets) statuses.push(await fuzz(path.basename(target, '.cc'), values.seconds));
  return statuses.every((status) => status === 0) ? 0 : 1;
});

/** What the fuzzer learns stays in the build folder for the next time; a seed corpus may lie beside the target. */
async function fuzz(target, durationSeconds) {
  const startedMs = Date.now();
  const learnedFolder = path.join(nativeBuildFolder('fuzz'), 'corpus', target);
  mkdirSync(learnedFolder, { recursive: true });
  const seedFolder = path.join(fuzzFolder, 'corpus', target);
  const folders = existsSync(seedFolder) ? [learnedFolder, seedFolder] : [learnedFolder];
  const flags = [`-max_total_time=${durationSeconds}`, '-print_final_stats=1', '-verbosity=1'];
  const { status } = await run(path.join(nativeBuildFolder('fuzz'), target), [...flags, ...folders], {
    cwd: nativeBuildFolder('fuzz'),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  note(
    'fuzz',
    `${target} ${status === 0 ? 'found nothing' : `FAILED (status ${status})`} in ${seconds(startedMs)}`,
  );
  return status;
}
