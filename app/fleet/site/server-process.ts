import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { toolFailed } from '../../engine/tools/tool-problem';
import type { Clock } from '../../protocol/clock';
import { serverProgram } from './nats-server';
import { readPrivateFile, replacePrivateFile } from './private-files';

/** The server of a fleet, as other commands find it: by a file with its process id. */

const lookMs = 50;
const endsWithinMs = 10_000;

export interface ServerFiles {
  processId: string;
  configuration: string;
}

/** Process id of the server that runs with this configuration; null: none does. */
export function runningServer({ processId: file, configuration }: ServerFiles): number | null {
  const id = Number(readPrivateFile(file) ?? Number.NaN);
  if (!Number.isInteger(id) || id < 1) return null;
  // The system gives the number of a process that ended to another one.
  const words = commandOf(id);
  return words.includes(serverProgram) && words.includes(configuration) ? id : null;
}

export function noteServer({ processId: file }: ServerFiles, id: number): void {
  replacePrivateFile(file, `${id}\n`);
}

/** Forgets this server, where no other was started since. */
export function forgetServer({ processId: file }: ServerFiles, id: number): void {
  if (Number(readPrivateFile(file)) === id) rmSync(file, { force: true });
}

/** Has the server read its configuration again. False: none runs. */
export function reloadServer(files: ServerFiles): boolean {
  return signalServer(files, 'SIGHUP') !== null;
}

/**
 * Ends the server; resolves to its process id, or null if none runs.
 * @throws WhitelineError TOOL_FAILED if it does not end
 */
export async function stopServer(files: ServerFiles, clock: Pick<Clock, 'sleep'>): Promise<number | null> {
  const id = signalServer(files, 'SIGINT');
  if (id === null) return null;
  for (let waitedMs = 0; waitedMs < endsWithinMs; waitedMs += lookMs) {
    if (runningServer(files) !== id) return id;
    await clock.sleep(lookMs);
  }
  throw toolFailed(
    serverProgram,
    `process ${id} did not end within ${endsWithinMs / 1000} s`,
    `End it by force: kill -9 ${id}`,
  );
}

function signalServer(files: ServerFiles, signal: NodeJS.Signals): number | null {
  const id = runningServer(files);
  if (id === null) return null;
  try {
    process.kill(id, signal);
    return id;
  } catch (error) {
    // It ended meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return null;
    throw toolFailed(
      serverProgram,
      `process ${id} takes no signal of this user (${(error as Error).message})`,
      'Run the command as the user who started the fleet',
    );
  }
}

/** The words of a process's command line; empty if there is none. macOS is untested. */
function commandOf(id: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-ww', '-o', 'command=', '-p', `${id}`], { encoding: 'utf8' }).stdout ?? '';
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
