import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { outputOf } from '../setup/command.mjs';
import { compilerIdentity } from '../setup/compiler.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { hashOf } from '../setup/stamp.mjs';
import { mingw, windowsParts } from '../setup/windows.mjs';

// All checkouts of a user share it, like a compiler cache.
const cacheFolder = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'whiteline');

/** What builds the suites and runs them, with all flags, and what they play. */
const inputsOfAll = [
  ...['scripts', 'test-content', 'package.json', 'package-lock.json', 'vitest.config.ts'],
  ...['tsconfig.base.json', 'tsconfig.app.json', 'tsconfig.e2e.json', 'tsconfig.renderer.json'],
];
/** Of the environment, what tests read. */
const ownVariable = /^WHITELINE_/;

/** Of one suite alone. */
const ownTools = {
  chromium: () => outputOf(process.env.WHITELINE_CHROMIUM ?? '/usr/bin/chromium', ['--version']),
  windows: () => [compilerIdentity(mingw), outputOf(windowsParts.wine, ['--version'])].join('\n'),
};

/**
 * The file that says that a suite passed on this machine with exactly these files and folders of the checkout. Take it before the suite
 * runs: the files may change meanwhile.
 */
export function stampOf(suite, inputs) {
  const files = [...inputs, ...inputsOfAll].flatMap(sourcesIn);
  // The sanitizers and the fuzz targets are built by clang.
  const tools = [compilerIdentity(), compilerIdentity('clang++'), process.version, os.release()];
  if (ownTools[suite]) tools.push(ownTools[suite]());
  for (const name of Object.keys(process.env)
    .filter((one) => ownVariable.test(one))
    .sort())
    tools.push(`${name}=${process.env[name]}`);
  return path.join(cacheFolder, 'passed', `${suite}-${hashOf(files, tools.join('\n'))}`);
}

export function hasPassedBefore(stamp) {
  return existsSync(stamp);
}

export function notePassed(stamp) {
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
}

/** What was built lies beside the sources of the native rooms. */
function sourcesIn(input) {
  if (input !== 'native') return [input];
  const names = readdirSync(path.join(rootFolder, input)).sort();
  return names.filter((name) => !/^build(-|$)/.test(name)).map((name) => `${input}/${name}`);
}
