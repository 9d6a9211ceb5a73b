import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { echoHelper } from '../../testing/echo-helper';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { launchProcess, launchWatched } from '../capabilities/helper/launch';
import { machineClock } from '../clock';
import { runTool } from './run-tool';

// What is started for another machine ends where its agent is stopped. A clock that stands is an agent that is stopped.

const standing = new SimulatedClock();
/** Of a user whose shells begin with a file that does not end. */
const folder = temporaryFolder();
const startup = join(folder, '.bashrc');
writeFileSync(startup, 'sleep 600\n');
beforeEach(() => {
  for (const [name, value] of Object.entries({ HOME: folder, BASH_ENV: startup, SHLVL: '0' }))
    vi.stubEnv(name, value);
});

const script = 'sleep 600 >/dev/null 2>&1 & echo $!; wait';
const timeoutSeconds = 600;
/** Against hanging alone. */
const hangsAfterMs = 60_000;

function isAlive(id: number): boolean {
  return existsSync(`/proc/${id}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${id}/stat`, 'latin1'));
}

interface Started {
  /** A process that the program started. */
  child: number;
  ended: Promise<NodeJS.Signals | null>;
  end(): void;
}

function tool(lifeClock: Parameters<typeof runTool>[0]['lifeClock']): Promise<Started> {
  return new Promise((resolve) => {
    const abort = new AbortController();
    const call = { file: 'sh', args: ['-c', script], timeoutSeconds, signal: abort.signal };
    const result = runTool({
      ...{ ...call, ...(lifeClock && { lifeClock }) },
      onLine: (line) => resolve({ child: Number(line), ended, end: () => abort.abort() }),
    });
    const ended = result.then(({ endSignal }) => endSignal).catch(() => null);
  });
}

function helper(launch: typeof launchProcess): Promise<Started> {
  const started = launch(echoHelper({ file: '/bin/sh', args: ['-c', script] }));
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    started.on('close', (_, endSignal) => resolve(endSignal));
  });
  return new Promise((resolve) => {
    started.stdout.on('data', (text) => {
      resolve({ child: Number(text), ended, end: () => started.signalGroup('SIGKILL') });
    });
  });
}

test.runIf(process.platform === 'linux')(
  'tools and helpers whose agent is stopped end with all that they started, and no others do',
  async () => {
    // They live longer than those that are ended.
    const others = await Promise.all([
      ...[tool(machineClock), helper(launchWatched(machineClock))],
      ...[tool(undefined), helper(launchProcess)],
    ]);
    const stopped = await Promise.all([tool(standing), helper(launchWatched(standing))]);
    expect(await Promise.all(stopped.map(({ ended }) => ended))).toEqual(['SIGKILL', 'SIGKILL']);
    for (const { child } of stopped)
      await expect.poll(() => isAlive(child), { timeout: hangsAfterMs }).toBe(false);
    expect(others.map(({ child }) => isAlive(child))).toEqual(others.map(() => true));
    for (const { end } of others) end();
    await Promise.all(others.map(({ ended }) => ended));
  },
);

/** Of the program that leads this group. */
function watchdogs(group: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'latin1').endsWith(`\0watchdog\0${group}\0`);
      } catch {
        return false;
      }
    });
}

test.runIf(process.platform === 'linux')('a watchdog goes with its program', async () => {
  const { child, ended } = await tool(machineClock);
  const group = Number(/\) \S+ \d+ (\d+)/.exec(readFileSync(`/proc/${child}/stat`, 'latin1'))?.[1]);
  await expect.poll(() => watchdogs(group), { timeout: hangsAfterMs }).toHaveLength(1);
  process.kill(group, 'SIGTERM');
  expect(await ended).toBe('SIGTERM');
  await expect.poll(() => watchdogs(group), { timeout: hangsAfterMs }).toEqual([]);
  process.kill(child, 'SIGKILL');
});
