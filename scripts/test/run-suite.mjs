import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { signalGroup } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { seconds } from '../setup/report.mjs';
import { oneFailed } from './counts.mjs';

const entry = fileURLToPath(new URL('suite.mjs', import.meta.url));
const nameWidth = 10;
/** Several times what the longest takes on a busy machine: it ends what hangs. */
const mostSuiteMs = 45 * 60_000;
/** For a suite that is asked to end, before it is killed. */
const patienceMs = 5_000;

/** The suites that run now. Each leads a process group, which holds what its tools start too. */
const running = new Set();

/**
 * Runs one suite in a separate process; resolves to its counts, with its name and how long it took.
 * @param {object} environment what set-up resolved to
 * @param {{ isBesideOthers?: boolean }} [options] beside others, each line begins with the suite's name
 */
export async function runSuite(name, environment, { isBesideOthers = false } = {}) {
  const startedMs = Date.now();
  const output = isBesideOthers ? 'pipe' : 'inherit';
  const child = fork(entry, [name, JSON.stringify(environment)], {
    cwd: rootFolder,
    stdio: ['ignore', output, output, 'ipc'],
    detached: true,
  });
  running.add(child);
  let counts = null;
  let hung = '';
  const limit = setTimeout(() => {
    hung = ` after ${mostSuiteMs / 60_000} min, the longest that a suite may take`;
    signalGroup(child.pid, 'SIGKILL');
  }, mostSuiteMs);
  child.on('message', (message) => {
    counts = message;
  });
  for (const stream of [child.stdout, child.stderr].filter(Boolean)) {
    createInterface({ input: stream }).on('line', (line) => {
      if (line.trim() !== '') process.stdout.write(`${name.padEnd(nameWidth)} ${line}\n`);
    });
  }
  const [status, signal] = await once(child, 'close');
  clearTimeout(limit);
  running.delete(child);
  counts ??= oneFailed(
    `the suite ${name} ended with ${signal ?? `status ${status}`}${hung} and left no counts`,
  );
  return { name, ...counts, duration: seconds(startedMs) };
}

/** Ends the suites that run, with all that they started. */
export async function endSuites() {
  const ended = [...running].map((child) => once(child, 'close'));
  for (const child of running) signalGroup(child.pid, 'SIGTERM');
  const timer = setTimeout(() => {
    for (const child of running) signalGroup(child.pid, 'SIGKILL');
  }, patienceMs);
  await Promise.all(ended);
  clearTimeout(timer);
}
