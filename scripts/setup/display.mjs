import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SetupError } from './report.mjs';

const screen = '2560x1440x24';
const startTimeoutMs = 10_000;
const keptCharacters = 2_000;

/** Runs the action with the name of a virtual display (`:99`) that exists for as long as the action lasts. */
export async function withDisplay(action) {
  // With -displayfd the server picks a free number and writes it down once it is ready.
  const serverArguments = ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-ac'];
  const server = spawn('Xvfb', serverArguments, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  try {
    return await action(`:${await displayNumber(server)}`);
  } finally {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
  }
}

/** Runs the action with the names of `count` virtual displays. */
export function withDisplays(count, action, displays = []) {
  if (count === 0) return action(displays);
  return withDisplay((display) => withDisplays(count - 1, action, [...displays, display]));
}

async function displayNumber(server) {
  let words = '';
  server.stderr.on('data', (text) => {
    words = `${words}${text}`.slice(-keptCharacters);
  });
  const failed = Promise.race([
    once(server, 'error').then(([error]) => error.message),
    once(server, 'exit').then(([status]) => `it ended with status ${status}`),
    new Promise((resolve) =>
      setTimeout(resolve, startTimeoutMs, `it was not ready after ${startTimeoutMs / 1000} s`).unref(),
    ),
  ]).then((reason) => ({ reason }));
  const started = once(server.stdio[3], 'data').then(([data]) => ({ number: String(data).trim() }));
  const { number, reason } = await Promise.race([started, failed]);
  if (number) return number;
  throw new SetupError(
    `the virtual display did not start: ${reason ?? 'it named no display'}.\n${words}`.trimEnd(),
    'install Xvfb (Debian: apt-get install xvfb) where it is missing; else correct what its lines above name',
  );
}
