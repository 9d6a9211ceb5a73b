import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from './bundle.mjs';
import { figure } from './figures.mjs';
import { problemOfNmosCpp, startNmosCpp, startRegistry } from './nmos-registries.mjs';

export const area = 'nmos-held';

const execute = promisify(execFile);
const nodes = 2500;
/** nmos-cpp's registry is the judge, ours is there for comparison. */
const registries = [
  { id: 'nmos-cpp', start: startNmosCpp, seconds: 300, problem: problemOfNmosCpp },
  { id: 'own', start: startRegistry, seconds: 60, problem: () => null },
];
const expirySeconds = 12;

/**
 * What `whiteline nmos load` says, held against what a registry says that is not ours, and what it costs: 2,500 nodes with six
 * resources and a connection each, a heartbeat each 5 s.
 */
export async function run() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const program = await bundleProgram('nmos-load', folder);
    const figures = [];
    for (const registry of registries) figures.push(...(await figuresOf(registry, program)));
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function figuresOf({ id, start, seconds, problem }, program) {
  const name = (what) => `nmos-held.${id}-${what}`;
  const notMeasured = problem() ?? undefined;
  const measured = notMeasured === undefined ? await held(start, seconds, program) : null;
  const value = (of) => (measured === null ? null : of(measured));
  const agreed = (at) => {
    const peerValue = value((one) => one[at].loaded);
    const listed = value((one) => one[at].listed);
    const beside = { peer: 'registered by the load', peerValue };
    const ratio = listed === null ? null : listed / peerValue;
    return figure({
      ...{ id: name(`listed-${at}`), unit: 'resources', value: listed, ...beside, ratio },
      ...{ ratioWithin: [1, 1], notMeasured },
    });
  };
  const of = (what, unit, read, rest = {}) =>
    figure({ id: name(what), unit, value: value(read), notMeasured, ...rest });
  return [
    agreed('before'),
    agreed('after'),
    of('left', 'resources', (one) => one.left, { atMost: 0 }),
    of('heartbeats', 'heartbeats', (one) => one.heartbeat.count),
    of('missed', 'heartbeats', (one) => one.heartbeatsMissed, { atMost: 0 }),
    of('heartbeat-p99', 'ms', (one) => one.heartbeat.p99Ms),
    of('cpu', '% of a core', (one) => one.cpuPercent, { atMost: 15 }),
  ];
}

async function held(start, seconds, program) {
  const { child, origin } = await start(expirySeconds);
  try {
    const options = { action: 'held', origins: [origin], nodes, seconds };
    return JSON.parse((await execute(process.execPath, [program, JSON.stringify(options)])).stdout);
  } finally {
    child.kill('SIGKILL');
  }
}
