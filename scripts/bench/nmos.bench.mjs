import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { bundleProgram } from './bundle.mjs';
import { figure } from './figures.mjs';
import { problemOfNmosCpp, residentMbOf, startNmosCpp, startRegistry } from './nmos-registries.mjs';

export const area = 'nmos';

const execute = promisify(execFile);
const restSeconds = 60;
const expirySeconds = 3600;
/** Of nmos-cpp, measured earlier on this kind of machine, for where it is not built. */
const earlier = { pooledMs: 6900, perNodeMs: null, pageMs: 28, syncMs: 121, residentMb: 88 };

/**
 * `whiteline nmos registry` and clients on the same machine, over loopback: 2,500 nodes with six resources each through 16 connections
 * and with one for each node, 10,000 through 16; a page and a subscription of 2,500 senders; resident memory a minute later; 750 nodes
 * spread over two registries. The first five beside nmos-cpp, one after the other, where it is built.
 */
export async function run() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  const children = [];
  const started = async (registry) => {
    children.push((await registry).child);
    return registry;
  };
  const start = (...flags) => started(startRegistry(expirySeconds, flags));
  const startPeer = () => started(startNmosCpp(expirySeconds));
  try {
    const file = await bundleProgram('nmos-load', folder);
    const act = async (options) =>
      JSON.parse((await execute(process.execPath, [file, JSON.stringify(options)])).stdout);
    const isPeerThere = problemOfNmosCpp() === null;
    const ours = await compared(act, start);
    const theirs = isPeerThere ? await compared(act, startPeer) : earlier;
    const peer = isPeerThere ? 'nmos-cpp' : 'nmos-cpp, earlier';
    const large = await start();
    const ten = await act({ action: 'register', origins: [large.origin], nodes: 10_000, connections: 16 });
    const one = await start();
    const two = await start('--peer', one.origin);
    // The first follows the second when it is started again with its address.
    one.child.kill('SIGKILL');
    const again = await start('--port', new URL(one.origin).port, '--peer', two.origin);
    const spread = { action: 'register', origins: [again.origin, two.origin], nodes: 750, connections: 16 };
    const shared = await act(spread);
    const beside = (key, scale = 1) =>
      theirs[key] === null ? {} : { peer, peerValue: theirs[key] * scale, ratio: ours[key] / theirs[key] };
    const seconds = (id, key, atMost) =>
      figure({ id, unit: 's', value: ours[key] / 1000, atMost, ...beside(key, 1 / 1000) });
    return [
      seconds('nmos.register-2500-pool', 'pooledMs', 4),
      seconds('nmos.register-2500-per-node', 'perNodeMs', 8),
      figure({
        ...{ id: 'nmos.register-10000-pool', unit: 's', value: ten.ms / 1000 },
        ...{
          peer: '4 times 2,500',
          peerValue: (4 * ours.pooledMs) / 1000,
          ratio: ten.ms / (4 * ours.pooledMs),
        },
        ratioAtMost: 1.2,
      }),
      figure({ id: 'nmos.page-2500', unit: 'ms', value: ours.pageMs, atMost: 30, ...beside('pageMs') }),
      figure({ id: 'nmos.sync-2500', unit: 'ms', value: ours.syncMs, atMost: 100, ...beside('syncMs') }),
      figure({
        ...{ id: 'nmos.resident-15000', unit: 'MB', value: ours.residentMb, atMost: 90 },
        ...beside('residentMb'),
      }),
      figure({ id: 'nmos.shared-750', unit: 'ms', value: shared.completeMs, atMost: 1000 }),
    ];
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The figures that any registry has. */
async function compared(act, start) {
  const pool = await start();
  const of = (registry) => ({ origins: [registry.origin], nodes: 2500 });
  const pooled = await act({ action: 'register', ...of(pool), connections: 16 });
  const page = await act({ action: 'page', ...of(pool) });
  const sync = await act({ action: 'sync', ...of(pool) });
  await sleep(restSeconds * 1000);
  const residentMb = residentMbOf(pool.child.pid);
  const each = await start();
  const perNode = await act({ action: 'register', ...of(each) });
  return { pooledMs: pooled.ms, pageMs: page.ms, syncMs: sync.ms, residentMb, perNodeMs: perNode.ms };
}
