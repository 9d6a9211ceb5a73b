import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SetupError } from './report.mjs';

const screen = '2560x1440x24';
const startTimeoutMs = 10_000;

/** Runs the action with the name of a virtual display (`:99`) that exists for as long as the action lasts. */
export async function withDisplay(action) {
  // With -displayfd the server picks a free number and writes it down once it is ready.
  const serverArguments = ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-ac'];
  const server = spawn('Xvfb', serverArguments, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
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
  const failed = Promise.race([
    once(server, 'error'),
    once(server, 'exit'),
    new Promise((resolve) => setTimeout(resolve, startTimeoutMs).unref()),
  ]).then(() => null);
  const number = await Promise.race([
    once(server.stdio[3], 'data').then(([data]) => String(data).trim()),
    failed,
  ]);
  if (number) return number;
  throw new SetupError('the virtual display did not start.', 'see why: Xvfb :99 -screen 0 1280x720x24');
}
