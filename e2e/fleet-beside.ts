import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Locator } from '@playwright/test';

const command = fileURLToPath(new URL('../dist/app/cli.cjs', import.meta.url));

/** The server of the fleet of a console. @param folder of the fleet, in the console's user data */
export async function startServerBeside(folder: string): Promise<{ stop(): void }> {
  const where = ['--folder', folder, '--listen', '127.0.0.1', '--port', '0'];
  const server = await started(['fleet', 'start', ...where]);
  return { stop: () => void server.kill('SIGKILL') };
}

/** The agent of this join file, on this machine. @param words what follows its join file */
export async function startAgentBeside(
  joinFile: string,
  words: readonly string[] = [],
): Promise<{ stop(): void; end(): void }> {
  const agent = await started(['agent', joinFile, ...words]);
  return { stop: () => void agent.kill('SIGKILL'), end: () => void agent.kill('SIGINT') };
}

/**
 * Both, on this machine.
 * @param agentWords what follows the agent's join file
 * @returns what ends all, and the newest agent alone, and what starts one more
 */
export async function startFleetBeside(
  folder: string,
  name: string,
  agentWords: readonly string[] = [],
): Promise<{ stop(): void; stopAgent(): void; startAgent(name: string): Promise<void> }> {
  const server = await startServerBeside(folder);
  const agents: { stop(): void }[] = [];
  async function startAgent(name: string, words: readonly string[] = []): Promise<void> {
    agents.push(await startAgentBeside(inviteBeside(folder, name), words));
  }
  await startAgent(name, agentWords);
  return {
    stop: () => {
      for (const one of [...agents, server]) one.stop();
    },
    stopAgent: () => agents.at(-1)?.stop(),
    startAgent,
  };
}

/** Path of the join file. */
export function inviteBeside(folder: string, name: string): string {
  const joinFile = join(folder, `${name}.join.json`);
  const words = ['fleet', 'invite', name, '--folder', folder, '--output', joinFile];
  execFileSync(process.execPath, [command, ...words]);
  return joinFile;
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
