import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configureNativeBuild, nativeBuildFolder } from '../native-build.mjs';
import { run } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { hashOf, isStamped, writeStamp } from '../setup/stamp.mjs';

// What it prints for each file, findings or not.
const noisePattern = /^\d+ warnings?(?: and \d+ errors?)? generated\.$|clang-tidy\S* .*-quiet /;

/** Runs clang-tidy over the sources of native/core that changed, or whose headers did, since they last passed. */
export async function clangTidy(onLine) {
  const changed = changedSources();
  if (changed.length === 0) return true;
  await configureNativeBuild('test-plain');
  const patterns = changed.map(({ source }) => `${path.join(rootFolder, source).replaceAll('.', '\\.')}$`);
  const flags = ['-quiet', '-p', nativeBuildFolder('test-plain'), '-j', String(os.availableParallelism())];
  const { status, lastLines } = await run('run-clang-tidy', [...flags, ...patterns], {
    onLine: (line) => noisePattern.test(line) || onLine(line),
  });
  if (status === 127) onLine(lastLines.join(' '));
  if (status !== 0) return false;
  for (const { stamp, hash } of changed) writeStamp(stamp, hash);
  return true;
}

function changedSources() {
  const files = readdirSync(path.join(rootFolder, 'native/core'), { recursive: true })
    .map((name) => path.posix.join('native/core', name.split(path.sep).join('/')))
    // Another system's code does not compile here.
    .filter((name) => !name.endsWith('_windows.cc'))
    .sort();
  const headersHash = hashOf(['.clang-tidy', ...files.filter((name) => name.endsWith('.h'))]);
  return files
    .filter((name) => name.endsWith('.cc'))
    .map((source) => ({
      source,
      stamp: `clang-tidy-${source.replaceAll('/', '-')}`,
      hash: hashOf([source], headersHash),
    }))
    .filter(({ stamp, hash }) => !isStamped(stamp, hash));
}
