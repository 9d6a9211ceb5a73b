import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { figure, median } from '../../scripts/bench/figures.mjs';
import { rootFolder } from '../../scripts/setup/platform.mjs';
import { note } from '../../scripts/setup/report.mjs';

export const area = 'looking';

const ndiFolder = path.join(rootFolder, 'node_modules/@grandi/linux-x64');
const lookings = {
  preview: { format: '640x360@60', source: 'noise' },
  view: { format: '3840x2160@60', source: 'white-line' },
};
const figures = [
  { name: 'latency-p50', unit: 'ms', of: ({ latencyMs }) => latencyMs.p50, aims: { preview: [0.95, 1.05] } },
  { name: 'latency-p99', unit: 'ms', of: ({ latencyMs }) => latencyMs.p99 },
  { name: 'capture-interval-p50', unit: 'ms', of: ({ captureIntervalMs }) => captureIntervalMs.p50 },
  { name: 'capture-interval-p99', unit: 'ms', of: ({ captureIntervalMs }) => captureIntervalMs.p99 },
  { name: 'captured', unit: 'pictures', of: ({ captured }) => captured },
  { name: 'sdk-dropped', unit: 'pictures', of: ({ transportDropped }) => transportDropped },
  { name: 'cpu', unit: '% of a core', of: ({ cpuPercentOfCore }) => cpuPercentOfCore },
  { name: 'machine-cpu', unit: '%', of: ({ machineCpuPercent }) => machineCpuPercent },
];

/** With and without a preview, with and without a view: each pair in turn, the one that begins too. */
export async function run({ buildFolder, pairs = 9, seconds = 3, only = Object.keys(lookings) }) {
  const executable = path.join(buildFolder, 'looking_cost');
  return only.flatMap((looking) => figuresOf(looking, measured(executable, looking, pairs, seconds)));
}

function measured(executable, looking, pairs, seconds) {
  const results = { with: [], without: [] };
  try {
    for (let pair = 0; pair < pairs; pair++) {
      const order = pair % 2 === 0 ? ['with', 'without'] : ['without', 'with'];
      for (const side of order)
        results[side].push(cost(executable, looking, side === 'with' ? looking : 'none', seconds));
      const [ours, peer] = [results.with.at(-1), results.without.at(-1)];
      note('bench', `${looking}: with ${JSON.stringify(ours)}; without ${JSON.stringify(peer)}`);
    }
    return results;
  } catch (error) {
    return { ...results, notMeasured: error.message };
  }
}

function cost(executable, looking, mode, seconds) {
  const options = {
    '--library': process.env.WHITELINE_NDI_PATH || ndiFolder,
    '--format': lookings[looking].format,
    '--source': lookings[looking].source,
    '--seconds': seconds,
    '--looking': mode,
  };
  const run = spawnSync(executable, Object.entries(options).flat().map(String), { encoding: 'utf8' });
  if (run.status === 0) return JSON.parse(run.stdout);
  throw new Error(`looking_cost ended with status ${run.status}: ${run.error ?? run.stderr}`);
}

function figuresOf(looking, { with: ours, without: peers, notMeasured }) {
  return figures.map(({ name, unit, of, aims = {} }) => {
    const ratios = peers.map((peer, pair) => of(ours[pair]) / of(peer)).filter(Number.isFinite);
    return figure({
      id: `looking.${name}-${looking}`,
      unit,
      value: median(ours.map(of)),
      peer: `without a ${looking}`,
      peerValue: median(peers.map(of)),
      ratio: median(ratios),
      ratioWithin: aims[looking],
      notMeasured,
    });
  });
}
