import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { noteServer } from '../site/server-process';
import { siteFiles } from '../site/site';
import { OwnFleet } from './own-fleet';

test('the process of its server is known while it runs, and none where its file cannot be read', () => {
  const folder = temporaryFolder();
  const fleet = new OwnFleet({ folder, clock: new SimulatedClock(), version: '1', onLost: () => undefined });
  expect(fleet.serverProcessId()).toBeNull();
  const files = siteFiles(folder);
  const waits = ['-e', 'process.stdin.resume()', 'nats-server', files.configuration];
  const server = spawn(process.execPath, waits, { stdio: ['pipe', 'ignore', 'ignore'] });
  try {
    noteServer(files, server.pid ?? 0);
    expect(fleet.serverProcessId()).toBe(server.pid);
  } finally {
    server.kill('SIGKILL');
  }
  const damaged = join(folder, 'damaged');
  mkdirSync(siteFiles(damaged).processId, { recursive: true });
  const other = new OwnFleet({
    folder: damaged,
    clock: new SimulatedClock(),
    version: '1',
    onLost: () => undefined,
  });
  expect(other.serverProcessId()).toBeNull();
});
