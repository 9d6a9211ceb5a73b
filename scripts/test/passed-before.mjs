import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compilerIdentity } from '../setup/compiler.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { hashOf } from '../setup/stamp.mjs';

// All checkouts of a user share it, like a compiler cache.
const cacheFolder = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'whiteline');

/** Whether a suite passed on this machine with exactly these files and folders of the checkout. */
export function hasPassedBefore(suite, inputs) {
  return existsSync(stampOf(suite, inputs));
}

export function notePassed(suite, inputs) {
  const stamp = stampOf(suite, inputs);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
}

/** What tests and builds them counts for all; what was built lies beside the sources. */
function stampOf(suite, inputs) {
  const files = [...inputs, 'scripts/test'].flatMap(sourcesIn);
  const hash = hashOf(files, `${compilerIdentity()} ${process.version} ${os.release()}`);
  return path.join(cacheFolder, 'passed', `${suite}-${hash}`);
}

function sourcesIn(input) {
  if (input !== 'native') return [input];
  const names = readdirSync(path.join(rootFolder, input)).sort();
  return names.filter((name) => !/^build(-|$)/.test(name)).map((name) => `${input}/${name}`);
}
