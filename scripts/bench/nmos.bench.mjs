import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rootFolder } from '../setup/platform.mjs';
import { bundleProgram } from './bundle.mjs';
import { figure } from './figures.mjs';

export const area = 'nmos';

const execute = promisify(execFile);
/** Measured before, on another day, on this kind of machine: it is not built here. */
const peer = 'nmos-cpp, earlier';
const restSeconds = 60;

/**
 * `whiteline nmos registry` and clients on the same machine, over loopback: 2,500 nodes with six resources each through 16 connections
 * and with one for each node, 10,000 through 16; a page and a subscription of 2,500 senders; resident memory a minute later; 750 nodes
 * spread over two registries.
 */
export async function run() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  const children = [];
  const start = async (...flags) => {
    const registry = await startRegistry(flags);
    children.push(registry.child);
    return registry;
  };
  try {
    const file = await bundleProgram('nmos-load', folder);
    const act = async (options) =>
      JSON.parse((await execute(process.execPath, [file, JSON.stringify(options)])).stdout);
    const pool = await start();
    const of = (registry) => ({ origins: [registry.origin], nodes: 2500 });
    const pooled = await act({ action: 'register', ...of(pool), connections: 16 });
    const page = await act({ action: 'page', ...of(pool) });
    const sync = await act({ action: 'sync', ...of(pool) });
    await new Promise((resolve) => setTimeout(resolve, restSeconds * 1000));
    const residentMb = residentMbOf(pool.child.pid);
    const each = await start();
    const perNode = await act({ action: 'register', ...of(each) });
    const large = await start();
    const many = { origins: [large.origin], nodes: 10_000, connections: 16 };
    const ten = await act({ action: 'register', ...many });
    const one = await start();
    const two = await start('--peer', one.origin);
    // The first follows the second when it is started again with its address.
    one.child.kill('SIGKILL');
    const again = await start('--port', new URL(one.origin).port, '--peer', two.origin);
    const spread = { action: 'register', origins: [again.origin, two.origin], nodes: 750, connections: 16 };
    const shared = await act(spread);
    const seconds = (id, ms, rest) => figure({ id, unit: 's', value: ms / 1000, ...rest });
    return [
      seconds('nmos.register-2500-pool', pooled.ms, { atMost: 4, ...beside(pooled.ms / 1000, 6.9) }),
      seconds('nmos.register-2500-per-node', perNode.ms, { atMost: 8 }),
      seconds('nmos.register-10000-pool', ten.ms, {
        ...{ peer: '4 times 2,500', peerValue: (4 * pooled.ms) / 1000, ratio: ten.ms / (4 * pooled.ms) },
        ratioAtMost: 1.2,
      }),
      figure({ id: 'nmos.page-2500', unit: 'ms', value: page.ms, atMost: 30, ...beside(page.ms, 28) }),
      figure({ id: 'nmos.sync-2500', unit: 'ms', value: sync.ms, atMost: 100, ...beside(sync.ms, 121) }),
      figure({
        id: 'nmos.resident-15000',
        unit: 'MB',
        value: residentMb,
        atMost: 90,
        ...beside(residentMb, 88),
      }),
      figure({ id: 'nmos.shared-750', unit: 'ms', value: shared.completeMs, atMost: 1000 }),
    ];
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function beside(value, peerValue) {
  return { peer, peerValue, ratio: value / peerValue };
}

async function startRegistry(flags) {
  const command = path.join(rootFolder, 'dist/app/cli.cjs');
  const usual = ['--port', '0', '--json', '--no-announce', '--expiry', '1h'];
  const child = spawn(process.execPath, [command, 'nmos', 'registry', ...usual, ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = await once(child.stdout, 'data');
  return { child, origin: JSON.parse(said).origins[0] };
}

function residentMbOf(pid) {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(kb) * 1024) / 1e6;
}
