import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';
import { note } from '../setup/report.mjs';
import { bundleProgram } from './bundle.mjs';
import { figure } from './figures.mjs';

export const area = 'nmos-conformance';

/** A checkout of AMWA-TV/nmos-testing, and a Python that has what its requirements.txt names. */
const toolFolder = process.env.WHITELINE_NMOS_TESTING;
const python = process.env.WHITELINE_NMOS_TESTING_PYTHON ?? 'python3';
/** Passes of nmos-cpp's registry by the same suite, measured earlier. */
const peer = 'nmos-cpp, earlier';
const nodeAddress = '10.90.0.1';
/**
 * IS-05 is v1.1; a suite of two APIs has a host, port and version for each. In a suite of discovery (isFound) the tool announces the
 * second API itself, and wants of the node its address alone.
 */
const suites = [
  { id: 'registry-v1.3', of: 'registry', suite: 'IS-04-02', versions: ['v1.3', 'v1.3'], peerValue: 71 },
  { id: 'registry-v1.2', of: 'registry', suite: 'IS-04-02', versions: ['v1.2', 'v1.2'], peerValue: null },
  { id: 'node-v1.3', of: 'node', suite: 'IS-04-01', versions: ['v1.3'], peerValue: null },
  { id: 'node-v1.2', of: 'node', suite: 'IS-04-01', versions: ['v1.2'], peerValue: null },
  { id: 'connection', of: 'node', suite: 'IS-05-01', versions: ['v1.1'], peerValue: null },
  { id: 'connection-of-node', of: 'node', suite: 'IS-05-02', versions: ['v1.3', 'v1.1'], peerValue: null },
  {
    id: 'system-of-node',
    of: 'node',
    suite: 'IS-09-02',
    versions: ['null', 'v1.0'],
    isFound: true,
    peerValue: null,
  },
];

/**
 * Suites of AMWA's NMOS testing tool, each in a network namespace of its own: IS-04-02 against `whiteline nmos registry`, with one node
 * and a subscription in it, and IS-04-01, IS-05-01, IS-05-02 and IS-09-02 against `whiteline nmos node`: tests that pass and that fail.
 */
export async function run() {
  const problem = problemOfTool();
  if (problem !== null) return suites.flatMap((one) => figuresOf(one, null, problem));
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const holder = await bundleProgram('nmos-load', folder);
    const figures = [];
    for (const one of suites) figures.push(...figuresOf(one, await statesOf(one, folder, holder)));
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function problemOfTool() {
  if (toolFolder === undefined) return 'WHITELINE_NMOS_TESTING names no checkout of AMWA-TV/nmos-testing';
  if (!existsSync(path.join(toolFolder, 'nmos-test.py'))) return `there is no nmos-test.py in ${toolFolder}`;
  const { status } = spawnSync(python, ['-c', 'import flask, zeroconf'], { stdio: 'ignore' });
  return status === 0 ? null : `${python} lacks what requirements.txt of ${toolFolder} names`;
}

function figuresOf({ id, peerValue }, states, notMeasured) {
  const count = (state) => states?.filter((one) => one === state).length ?? null;
  const passes = count('Pass');
  const beside = peerValue === null || passes === null ? {} : { peer, peerValue, ratio: passes / peerValue };
  return [
    figure({ id: `nmos-conformance.${id}-pass`, unit: 'tests', value: passes, notMeasured, ...beside }),
    figure({
      id: `nmos-conformance.${id}-fail`,
      unit: 'tests',
      value: count('Fail'),
      atMost: 0,
      notMeasured,
    }),
  ];
}

/** What became of each test. */
async function statesOf({ id, of, suite, versions, isFound = false }, folder, holder) {
  const results = path.join(folder, `${id}.json`);
  const address = of === 'node' ? nodeAddress : '127.0.0.1';
  const hosts = versions.map((_, index) => (isFound && index > 0 ? 'null' : address));
  const ports = versions.map(() => (isFound ? 0 : 8010));
  const flags = `--host ${hosts.join(' ')} --port ${ports.join(' ')} --version ${versions.join(' ')}`;
  const script = [
    ...(of === 'node' ? nodeLines() : registryLines(holder, versions[0])),
    `cd ${shown(toolFolder)} && ${shown(python)} nmos-test.py suite ${suite} ${flags} --output ${shown(results)}`,
    'kill $holder; kill -INT $subject; wait $subject',
  ].join('\n');
  const child = spawn('unshare', ['--net', 'sh', '-c', script], { stdio: 'ignore' });
  await once(child, 'close');
  if (!existsSync(results)) throw new Error(`the suite ${suite} wrote no results; it runs in ${toolFolder}`);
  const tests = JSON.parse(readFileSync(results, 'utf8')).results;
  for (const { name, state, detail } of tests)
    if (state === 'Fail') note('bench', `${id}: ${name}: ${detail}`);
  return tests.map(({ state }) => state);
}

const command = `${process.execPath} ${shown(path.join(rootFolder, 'dist/app/cli.cjs'))} nmos`;

function registryLines(holder, version) {
  const held = JSON.stringify({ action: 'hold', origins: ['http://127.0.0.1:8010'], nodes: 1, version });
  return [
    'ip link set lo up multicast on; ip route add 224.0.0.0/4 dev lo',
    `${command} registry 2>/dev/null & subject=$!`,
    `sleep 2; ${process.execPath} ${shown(holder)} ${shown(held)} & holder=$!`,
  ];
}

/** The tool announces its own registries, at the address of the usual route, by multicast DNS. */
function nodeLines() {
  return [
    'ip link set lo up; ip link add d0 type veth peer name d1; ip link set d1 up; ip link set d0 up',
    `ip addr add ${nodeAddress}/24 dev d0; ip route add default via 10.90.0.254`,
    `${command} node --listen ${nodeAddress} --port 8010 2>/dev/null & subject=$!`,
    'sleep 3',
  ];
}

function shown(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
