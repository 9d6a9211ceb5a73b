import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configureNativeBuild, nativeBuildFolder } from '../native-build.mjs';
import { outputOf, run } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { hashOf } from '../setup/stamp.mjs';

// What it prints for each file, findings or not.
const noisePattern = /^\d+ warnings?(?: and \d+ errors?)? generated\.$|clang-tidy\S* .*-quiet /;

// Code of another system or processor does not compile here.
const elsewherePattern =
  process.arch === 'x64' ? /_(windows|neon)\.cc$/ : /_(windows|sse41|avx2|avx512)\.cc$/;

// All checkouts of a user share it, like a compiler cache.
const cacheFolder = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'whiteline');
const passedFolder = path.join(cacheFolder, 'clang-tidy');

const checkedFolders = [
  'native/base',
  'native/media',
  'native/transports',
  'native/content',
  'native/helpers',
  'native/mixer',
];

/** Runs clang-tidy over each source of these folders that changed since it last passed, or whose headers did. */
export async function clangTidy(onLine) {
  const changed = changedSources();
  if (changed.length === 0) return true;
  await configureNativeBuild('tidy');
  const files = changed.map(({ source }) => path.join(rootFolder, source));
  const compiled = compiledFiles();
  const missing = files.filter((file) => !compiled.has(file));
  if (missing.length > 0) {
    onLine(`No build compiles ${missing.join(', ')}: clang-tidy cannot check it.`);
    return false;
  }
  const patterns = files.map((file) => `${file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
  const flags = ['-quiet', '-p', nativeBuildFolder('tidy'), '-j', String(os.availableParallelism())];
  let isConfigured = true;
  const { status, lastLines } = await run('run-clang-tidy', [...flags, ...patterns], {
    onLine: (line) => {
      // It goes on without its checks, and ends well.
      if (line.includes('Error parsing')) isConfigured = false;
      if (!noisePattern.test(line)) onLine(line);
    },
  });
  if (status === 127) onLine(lastLines.join(' '));
  if (status !== 0 || !isConfigured) return false;
  mkdirSync(passedFolder, { recursive: true });
  for (const { passedFile } of changed) writeFileSync(passedFile, '');
  return true;
}

/** By the build that is configured for clang-tidy. */
function compiledFiles() {
  const commands = readFileSync(path.join(nativeBuildFolder('tidy'), 'compile_commands.json'), 'utf8');
  return new Set(JSON.parse(commands).map(({ directory, file }) => path.resolve(directory, file)));
}

function changedSources() {
  const version = outputOf('clang-tidy', ['--version']) ?? '';
  const files = checkedFolders.flatMap((folder) =>
    readdirSync(path.join(rootFolder, folder), { recursive: true }).map((name) =>
      path.posix.join(folder, name.split(path.sep).join('/')),
    ),
  );
  const settings = files.filter((name) =>
    ['.clang-tidy', 'CMakeLists.txt'].includes(path.posix.basename(name)),
  );
  const shared = ['.clang-tidy', ...settings, 'native/CMakeLists.txt'];
  return files
    .filter((name) => name.endsWith('.cc') && !elsewherePattern.test(name))
    .sort()
    .map((source) => {
      const hash = hashOf([...shared, ...withHeaders(source)], version);
      return { source, passedFile: path.join(passedFolder, hash) };
    })
    .filter(({ passedFile }) => !existsSync(passedFile));
}

/** The file, and our headers that it includes, directly or not. */
function withHeaders(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(path.join(rootFolder, file), 'utf8');
  for (const [, header] of text.matchAll(/^#include "(native\/[^"]+)"/gm)) withHeaders(header, found);
  return found;
}
