import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { figure, printFigures } from '../bench/figures.mjs';
import { buildNative, nativeBuildFolder } from '../native-build.mjs';
import { setUp } from '../setup/index.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { step } from '../setup/report.mjs';

const frames = 100_000;
const ndiFolder = path.join(rootFolder, 'node_modules/@grandi/linux-x64');
const battery = [
  ...['white-line', 'flares', 'noise', 'particles', 'zone-plate', 'text-crawl'],
  ...['gradients', 'shader', 'cuts', 'black', 'live-action-like'],
];

/**
 * Sends 100,000 clean frames of each clip of the battery, 640×360, over real NDI, and prints how many were not judged whole
 * and how much of the picture's height the white line shows. Resolves to whether none was a false alarm.
 */
export async function soakWitness() {
  await setUp(['bench']);
  await step('soak', 'building the benchmarks', (onProgress) => buildNative('bench', onProgress));
  const figures = battery.flatMap(figuresOf);
  printFigures(figures);
  return figures.every(({ value, atMost }) => atMost === undefined || (value ?? 1) <= atMost);
}

function figuresOf(content) {
  const executable = path.join(nativeBuildFolder('bench'), 'ndi_witness');
  const library = process.env.WHITELINE_NDI_PATH || ndiFolder;
  const flags = ['--library', library, '--content', content, '--frames', String(frames)];
  const run = spawnSync(executable, flags, { encoding: 'utf8' });
  if (run.status !== 0) {
    const notMeasured = run.error?.message ?? `${run.stderr}`.trim();
    return [figure({ id: `witness.${content}.false-alarms`, unit: 'frames', atMost: 0, notMeasured })];
  }
  const { falseAlarms, witnessPercent, lost } = JSON.parse(run.stdout);
  return [
    figure({ id: `witness.${content}.false-alarms`, unit: 'frames', value: falseAlarms, atMost: 0 }),
    figure({ id: `witness.${content}.share`, unit: '%', value: witnessPercent }),
    figure({ id: `witness.${content}.lost`, unit: 'frames', value: lost }),
  ];
}
