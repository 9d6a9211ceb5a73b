import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../dist/app/cli.cjs', import.meta.url));

/**
 * The server of the fleet of a console, and an agent, both on this machine.
 * @param folder of the fleet, in the console's user data
 * @returns what ends both, and the agent alone
 */
export async function startFleetBeside(
  folder: string,
  name: string,
): Promise<{ stop(): void; stopAgent(): void }> {
  const server = await started([
    'fleet',
    'start',
    '--folder',
    folder,
    '--listen',
    '127.0.0.1',
    '--port',
    '0',
  ]);
  const joinFile = join(folder, `${name}.join.json`);
  execFileSync(process.execPath, [
    command,
    'fleet',
    'invite',
    name,
    '--folder',
    folder,
    '--output',
    joinFile,
  ]);
  const agent = await started(['agent', joinFile]);
  return {
    stop: () => {
      for (const child of [agent, server]) child.kill('SIGKILL');
    },
    stopAgent: () => void agent.kill('SIGKILL'),
  };
}

/** Resolves at its first line, which says that it is ready. */
async function started(words: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [command, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface(child.stdout), 'line');
  return child;
}
