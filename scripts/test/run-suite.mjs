import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rootFolder } from '../setup/platform.mjs';
import { seconds } from '../setup/report.mjs';
import { oneFailed } from './counts.mjs';

const entry = fileURLToPath(new URL('suite.mjs', import.meta.url));
const nameWidth = 10;

/**
 * Runs one suite in a process of its own; resolves to its counts, with its name and how long it took.
 * @param {object} environment what set-up resolved to
 * @param {{ isBesideOthers?: boolean }} [options] beside others, each line begins with the suite's name
 */
export async function runSuite(name, environment, { isBesideOthers = false } = {}) {
  const startedMs = Date.now();
  const output = isBesideOthers ? 'pipe' : 'inherit';
  const child = fork(entry, [name, JSON.stringify(environment)], {
    cwd: rootFolder,
    stdio: ['ignore', output, output, 'ipc'],
  });
  let counts = null;
  child.on('message', (message) => {
    counts = message;
  });
  for (const stream of [child.stdout, child.stderr].filter(Boolean)) {
    createInterface({ input: stream }).on('line', (line) => {
      if (line.trim() !== '') process.stdout.write(`${name.padEnd(nameWidth)} ${line}\n`);
    });
  }
  const [status, signal] = await once(child, 'close');
  counts ??= oneFailed(`the suite ${name} ended with ${signal ?? `status ${status}`} and left no counts`);
  return { name, ...counts, duration: seconds(startedMs) };
}
