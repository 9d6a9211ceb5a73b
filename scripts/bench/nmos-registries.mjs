import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rootFolder } from '../setup/platform.mjs';

/** A registry that is not ours: nmos-cpp-registry of github.com/sony/nmos-cpp, built as docs/benchmarks.md says. */
const nmosCppFile = process.env.WHITELINE_NMOS_CPP_REGISTRY;
const startSeconds = 20;

/** Why nmos-cpp cannot be measured; null: it can. */
export function problemOfNmosCpp() {
  if (nmosCppFile === undefined) return 'WHITELINE_NMOS_CPP_REGISTRY names no nmos-cpp-registry';
  return existsSync(nmosCppFile) ? null : `there is no ${nmosCppFile}`;
}

/** `whiteline nmos registry`, the built command. */
export async function startRegistry(expirySeconds, flags = []) {
  const command = path.join(rootFolder, 'dist/app/cli.cjs');
  const usual = ['--port', '0', '--json', '--no-announce', '--expiry', `${expirySeconds}s`];
  const child = spawn(process.execPath, [command, 'nmos', 'registry', ...usual, ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = await once(child.stdout, 'data');
  return { child, origin: JSON.parse(said).origins[0] };
}

/** Unannounced and without a log, as ours; with pages and messages that are as long as its clients want. */
export async function startNmosCpp(expirySeconds) {
  const port = await freePort();
  const settings = {
    ...{ http_port: port, host_address: '127.0.0.1', server_address: '127.0.0.1' },
    ...{ pri: 2 ** 31 - 1, logging_level: 40, registration_expiry_interval: expirySeconds },
    ...{ query_paging_limit: 10_000, query_ws_paging_default: 10_000, query_ws_paging_limit: 10_000 },
    // Those who ask at once are thousands.
    listen_backlog: 4096,
  };
  const child = spawn(nmosCppFile, [JSON.stringify(settings)], { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  const untilMs = Date.now() + startSeconds * 1000;
  while (!(await answers(`${origin}/x-nmos/query/v1.3/nodes`))) {
    if (child.exitCode !== null || Date.now() > untilMs) throw new Error(`${nmosCppFile} does not start`);
    await sleep(50);
  }
  return { child, origin };
}

export function residentMbOf(pid) {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(kb) * 1024) / 1e6;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function answers(url) {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
