import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';
import { bundleProgram } from './bundle.mjs';
import { figure } from './figures.mjs';

export const area = 'nmos-conformance';

/** A checkout of AMWA-TV/nmos-testing, and a Python that has what its requirements.txt names. */
const toolFolder = process.env.WHITELINE_NMOS_TESTING;
const python = process.env.WHITELINE_NMOS_TESTING_PYTHON ?? 'python3';
/** Passes of nmos-cpp's registry by the same suite, measured earlier. */
const peer = 'nmos-cpp, earlier';
const versions = [
  { version: 'v1.3', peerValue: 71 },
  { version: 'v1.2', peerValue: null },
];

/**
 * The suite IS-04-02 of AMWA's NMOS testing tool against `whiteline nmos registry`, with one node and a subscription in it, both in a network namespace of
 * their own: tests that pass and that fail.
 */
export async function run() {
  const problem = problemOfTool();
  if (problem !== null) return versions.flatMap((one) => figuresOf(one, null, problem));
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const holder = await bundleProgram('nmos-load', folder);
    const figures = [];
    for (const one of versions) figures.push(...figuresOf(one, await statesOf(one.version, folder, holder)));
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function problemOfTool() {
  if (toolFolder === undefined) return 'WHITELINE_NMOS_TESTING names no checkout of AMWA-TV/nmos-testing';
  return existsSync(path.join(toolFolder, 'nmos-test.py'))
    ? null
    : `there is no nmos-test.py in ${toolFolder}`;
}

function figuresOf({ version, peerValue }, states, notMeasured) {
  const count = (state) => states?.filter((one) => one === state).length ?? null;
  const id = `nmos-conformance.registry-${version}`;
  const passes = count('Pass');
  const beside = peerValue === null || passes === null ? {} : { peer, peerValue, ratio: passes / peerValue };
  return [
    figure({ id: `${id}-pass`, unit: 'tests', value: passes, notMeasured, ...beside }),
    figure({ id: `${id}-fail`, unit: 'tests', value: count('Fail'), atMost: 0, notMeasured }),
  ];
}

/** What became of each test. */
async function statesOf(version, folder, holder) {
  const results = path.join(folder, `${version}.json`);
  const shown = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const origin = 'http://127.0.0.1:8010';
  const command = path.join(rootFolder, 'dist/app/cli.cjs');
  const suite = `IS-04-02 --host 127.0.0.1 127.0.0.1 --port 8010 8010 --version ${version} ${version}`;
  const held = JSON.stringify({ action: 'hold', origins: [origin], nodes: 1, version });
  const script = [
    'ip link set lo up multicast on; ip route add 224.0.0.0/4 dev lo',
    `${process.execPath} ${shown(command)} nmos registry 2>/dev/null & registry=$!`,
    `sleep 2; ${process.execPath} ${shown(holder)} ${shown(held)} & holder=$!`,
    `cd ${shown(toolFolder)} && ${shown(python)} nmos-test.py suite ${suite} --output ${shown(results)}`,
    'kill $holder; kill -INT $registry; wait $registry',
  ].join('\n');
  const child = spawn('unshare', ['--net', 'sh', '-c', script], { stdio: 'ignore' });
  await once(child, 'close');
  if (!existsSync(results)) throw new Error(`the suite wrote no results; it runs in ${toolFolder}`);
  return JSON.parse(readFileSync(results, 'utf8')).results.map(({ state }) => state);
}
