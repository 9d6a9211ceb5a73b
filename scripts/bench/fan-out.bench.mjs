import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { rootFolder } from '../setup/platform.mjs';
import { ddsperfLatencyUs, ddsperfThroughput } from './ddsperf.mjs';
import { figure, median } from './figures.mjs';

export const area = 'fan-out';

const runFile = promisify(execFile);
const command = path.join(rootFolder, 'dist/app/cli.cjs');
const peer = 'ddsperf';
const sizes = [128, 8192];
/** Away from the domain in which a console may run. */
const domain = 130;

/**
 * One publisher and one subscriber over loopback, unicast and reliable, beside Cyclone DDS's own tool: samples per second and
 * the publisher's processor time per sample, batched (ours) and not, and half of a round trip.
 */
export async function run({ pairs = 5, seconds = 3 }) {
  const figures = [];
  for (const sampleBytes of sizes) {
    const found = { batched: [], unbatched: [], peer: [], oursUs: [], peerUs: [] };
    for (let pair = 0; pair < pairs; pair++) {
      for (const turn of pair % 2 === 0 ? turns : [...turns].reverse())
        await turn(found, { sampleBytes, seconds });
    }
    figures.push(...comparedFigures(found, sampleBytes));
  }
  return figures;
}

const turns = [
  async (found, order) => {
    if (order.sampleBytes <= 4096) found.batched.push(throughputOf(await ours(order, { batch: 8192 })));
  },
  async (found, order) => found.unbatched.push(throughputOf(await ours(order, { batch: 0 }))),
  async (found, order) => found.peer.push(await ddsperfThroughput({ ...order, domain })),
  async (found, order) => found.oursUs.push((await ours(order, { measure: 'latency' })).latencyUs),
  async (found, order) => found.peerUs.push(await ddsperfLatencyUs({ ...order, domain })),
];

function comparedFigures(found, sampleBytes) {
  const compared = (what, unit, values, peers) =>
    figure({
      ...{
        id: `fan-out.${what}-${sampleBytes}`,
        unit,
        value: median(values),
        peer,
        peerValue: median(peers),
      },
      ratio: median(values.map((value, pair) => value / peers[pair])),
    });
  const kinds = ['batched', 'unbatched'].filter((kind) => found[kind].length > 0);
  return [
    ...kinds.flatMap((kind) => [
      compared(`${kind}-rate`, 'samples/s', found[kind].map(rateOf), found.peer.map(rateOf)),
      compared(`${kind}-cpu`, 'µs/sample', found[kind].map(cpuOf), found.peer.map(cpuOf)),
      figure({
        ...{ id: `fan-out.${kind}-cpu-per-gigabit-${sampleBytes}`, unit: 's/Gb' },
        value: (median(found[kind].map(cpuOf)) * 1e3) / (8 * sampleBytes),
      }),
    ]),
    compared('latency', 'µs', found.oursUs, found.peerUs),
  ];
}

const rateOf = ({ samples, seconds }) => samples / seconds;
const cpuOf = ({ samples, processorSeconds }) => (1e6 * processorSeconds) / samples;

function throughputOf({ figures }) {
  const seconds = figures.measuredSeconds;
  const samples = figures['ddsFanOut.samplesSent'];
  const processorSeconds = (figures['ddsFanOut.publisherCpuPercent'] / 100) * seconds;
  return { samples, seconds, processorSeconds };
}

/** A row of the experiment. */
async function ours({ sampleBytes, seconds }, { batch = 0, measure = 'throughput' }) {
  const flags = {
    ...{ measure, cases: 'unicast reliable', 'sample-bytes': sampleBytes, subscribers: 1 },
    ...{ hold: `${seconds}s`, 'batch-bytes': batch, domain },
  };
  const given = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
  const { stdout } = await runFile(process.execPath, [command, 'run', 'fan-out', ...given, '--json'], {
    cwd: rootFolder,
  }).catch((error) => error);
  const row = JSON.parse(stdout.trim().split('\n')[0]);
  return { ...row, latencyUs: row.figures['ddsFanOut.latency.p50Us'] };
}
