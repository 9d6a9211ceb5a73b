import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { test as base } from './not-measured';

/** `whiteline serve` in a folder of its own. */
export interface Served {
  /** Of the page, with the token. */
  address: string;
  host: string;
  token: string;
  runsFolder: string;
  exportFolder: string;
  server: ChildProcess;
}

const appFolder = fileURLToPath(new URL('..', import.meta.url));

export async function serve(folder: string, environment: Record<string, string> = {}): Promise<Served> {
  const runsFolder = join(folder, 'runs');
  const command = [join(appFolder, 'dist/app/cli.cjs'), 'serve', '--json', '--runs', runsFolder];
  const server = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  const { address } = JSON.parse(line) as { address: string };
  const { host, hash } = new URL(address);
  const token = hash.replace('#token=', '');
  return { ...{ address, host, token, runsFolder, server }, exportFolder: join(folder, 'exports') };
}

/** Resolves once it has ended. */
export async function endServer({ server }: Served): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGTERM');
  await once(server, 'exit');
}

/** Each test has a server of its own; the page is the distribution's Chromium. */
export const test = base.extend<{ served: Served }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
  served: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'whiteline-served-'));
    const served = await serve(folder);
    await use(served);
    await endServer(served);
    rmSync(folder, { recursive: true, force: true });
  },
});

export { expect } from '@playwright/test';
