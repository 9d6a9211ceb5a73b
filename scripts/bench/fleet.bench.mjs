import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rootFolder } from '../setup/platform.mjs';
import { note } from '../setup/report.mjs';
import { figure, median, ratioInterval } from './figures.mjs';
import { cpuSecondsOf } from './process-cpu.mjs';

export const area = 'fleet';

const command = path.join(rootFolder, 'dist/app/cli.cjs');
const peer = 'the same streams by `send` and `watch`';
/** Until all streams are there and measured. */
const startsWithinMs = 60_000;

/**
 * What streams between two machines of a fleet take of the CPU, all programs together: agents, their stream hosts, server and console.
 * Beside it, in turns, the same streams by `send` and `watch`, two programs that know nothing of each other.
 */
export async function run({ pairs = 3, seconds = 15, streams = 4, size = '1280x720' }) {
  const load = { streams, format: `${size}@60`, seconds };
  const ratios = [];
  const [ours, theirs] = [[], []];
  for (let pair = 0; pair < pairs; pair++) {
    const turns = [
      () => ofFleet(load).then((cpu) => ours.push(cpu)),
      () => ofTwo(load).then((cpu) => theirs.push(cpu)),
    ];
    for (const turn of pair % 2 === 0 ? turns : turns.reverse()) await turn();
    ratios.push(ours[pair] / theirs[pair]);
    note('bench', `fleet ${ours[pair].toFixed(1)} %, send and watch ${theirs[pair].toFixed(1)} %`);
  }
  const interval = ratioInterval(ratios);
  const [mean, low, high] = [interval?.mean, interval?.low, interval?.high].map((one) => one?.toFixed(3));
  note('bench', `mean ratio ${mean}, 95 % interval ${low} to ${high}, of ${pairs} pairs`);
  return [
    figure({
      id: `fleet.cpu-${streams}`,
      unit: '% of a core',
      value: median(ours),
      ...{ peer, peerValue: median(theirs), ratio: median(ratios), ratioAtMost: 1.05 },
    }),
  ];
}

async function ofFleet({ streams, format, seconds }) {
  return withPrograms(async (start, folder) => {
    await start(['fleet', 'start', '--listen', '127.0.0.1', '--port', '0'], /fleet invite/);
    const file = path.join(folder, 'render-1.json');
    const invite = [command, 'fleet', 'invite', 'render-1', '--output', file];
    execFileSync(process.execPath, invite, { env: envOf(folder) });
    await start(['agent', file], /is ready/);
    const ramp = ['--start', String(streams), '--max-streams', String(streams), '--hold', `${seconds + 16}s`];
    const run = [
      'run',
      'stream-load',
      '--send-on',
      'render-1',
      '--format',
      format,
      '--stop-on',
      'sender-miss',
      ...ramp,
    ];
    await start([...run, '--out', path.join(folder, 'run')], new RegExp(`Measuring · .* ${streams} streams`));
    return seconds;
  });
}

async function ofTwo({ streams, format, seconds }) {
  return withPrograms(async (start) => {
    const name = `bench-${process.pid}`;
    await start(['send', '--format', format, '--name', name, '--streams', String(streams)], /^Sending /m);
    const names = Array.from({ length: streams }, (_, index) => `${name} ${index + 1}`);
    await start(['watch', ...names, '--json'], /"type":"view"[\s\S]*"type":"view"/);
    return seconds;
  });
}

/** The fleet is in the folder of the user's settings. */
function envOf(folder) {
  return { ...process.env, XDG_CONFIG_HOME: path.join(folder, 'config') };
}

/** % of a core that the programs take over some seconds, once `begin` has started them. */
async function withPrograms(begin) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  const children = [];
  const start = async (words, isReady) => {
    const child = spawn(process.execPath, [command, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: envOf(folder),
    });
    children.push(child);
    await says(child, isReady);
  };
  try {
    const seconds = await begin(start, folder);
    await sleep(2000);
    const ids = children.map(({ pid }) => pid);
    const [fromS, fromMs] = [cpuSecondsOf(ids), performance.now()];
    await sleep(seconds * 1000);
    return (100_000 * (cpuSecondsOf(ids) - fromS)) / (performance.now() - fromMs);
  } finally {
    for (const child of children.reverse()) child.kill('SIGINT');
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws where a program ends, or says it too late */
function says(child, text) {
  return new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(() => reject(new Error(`no ${text} within a minute: ${said}`)), startsWithinMs);
    const settle = (end) => {
      clearTimeout(late);
      end();
    };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (words) => {
        said += words;
        if (text.test(said)) settle(resolve);
      });
    child.once('exit', (code) => settle(() => reject(new Error(`ended with ${code}: ${said}`))));
  });
}
