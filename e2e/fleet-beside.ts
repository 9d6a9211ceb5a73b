import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Locator } from '@playwright/test';

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

/** Of the pixels of a canvas, from 0 to 255. */
export function brightest(canvas: Locator): Promise<number> {
  return canvas.evaluate((element: HTMLCanvasElement) => {
    const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? {
      data: [],
    };
    let most = 0;
    for (let at = 0; at < data.length; at += 4) most = Math.max(most, data[at] ?? 0);
    return most;
  });
}
