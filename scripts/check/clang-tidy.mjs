import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configureNativeBuild, nativeBuildFolder } from '../native-build.mjs';
import { outputOf, run } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { hashOf } from '../setup/stamp.mjs';

// What it prints for each file, findings or not.
const noisePattern = /^\d+ warnings?(?: and \d+ errors?)? generated\.$|clang-tidy\S* .*-quiet /;

// All checkouts of a user share it, like a compiler cache.
const cacheFolder = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'whiteline');
const passedFolder = path.join(cacheFolder, 'clang-tidy');

/** Runs clang-tidy over each source of native/core that changed since it last passed, or whose headers did. */
export async function clangTidy(onLine) {
  const changed = changedSources();
  if (changed.length === 0) return true;
  await configureNativeBuild('tidy');
  const patterns = changed.map(({ source }) => `${path.join(rootFolder, source).replaceAll('.', '\\.')}$`);
  const flags = ['-quiet', '-p', nativeBuildFolder('tidy'), '-j', String(os.availableParallelism())];
  const { status, lastLines } = await run('run-clang-tidy', [...flags, ...patterns], {
    onLine: (line) => noisePattern.test(line) || onLine(line),
  });
  if (status === 127) onLine(lastLines.join(' '));
  if (status !== 0) return false;
  mkdirSync(passedFolder, { recursive: true });
  for (const { passedFile } of changed) writeFileSync(passedFile, '');
  return true;
}

function changedSources() {
  const version = outputOf('clang-tidy', ['--version']) ?? '';
  return (
    readdirSync(path.join(rootFolder, 'native/core'), { recursive: true })
      .map((name) => path.posix.join('native/core', name.split(path.sep).join('/')))
      // Another system's code does not compile here.
      .filter((name) => name.endsWith('.cc') && !name.endsWith('_windows.cc'))
      .sort()
      .map((source) => {
        const hash = hashOf(['.clang-tidy', 'native/CMakeLists.txt', ...withHeaders(source)], version);
        return { source, passedFile: path.join(passedFolder, hash) };
      })
      .filter(({ passedFile }) => !existsSync(passedFile))
  );
}

/** The file, and our headers that it includes, directly or not. */
function withHeaders(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(path.join(rootFolder, file), 'utf8');
  for (const [, header] of text.matchAll(/^#include "(native\/[^"]+)"/gm)) withHeaders(header, found);
  return found;
}
