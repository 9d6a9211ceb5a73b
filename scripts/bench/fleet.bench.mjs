import path from 'node:path';
import { note } from '../setup/report.mjs';
import { figure, median, ratioInterval } from './figures.mjs';
import { cpuPercentOf } from './process-cpu.mjs';
import { withPrograms } from './whiteline-programs.mjs';

export const area = 'fleet';

const peer = 'the same streams by `send` and `watch`';
/** For what the start of the streams takes of the CPU. */
const settleMs = 2000;

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

function ofFleet({ streams, format, seconds }) {
  return withPrograms(async ({ start, whiteline, folder, ids }) => {
    await start(['fleet', 'start', '--listen', '127.0.0.1', '--port', '0'], /fleet invite/);
    const file = path.join(folder, 'render-1.json');
    whiteline('fleet', 'invite', 'render-1', '--output', file);
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
    return cpuPercentOf(ids(), seconds, settleMs);
  });
}

function ofTwo({ streams, format, seconds }) {
  return withPrograms(async ({ start, ids }) => {
    const name = `bench-${process.pid}`;
    await start(['send', '--format', format, '--name', name, '--streams', String(streams)], /^Sending /m);
    const names = Array.from({ length: streams }, (_, index) => `${name} ${index + 1}`);
    await start(['watch', ...names, '--json'], /"type":"view"[\s\S]*"type":"view"/);
    return cpuPercentOf(ids(), seconds, settleMs);
  });
}
