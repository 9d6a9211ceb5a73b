import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { figure } from '../../scripts/bench/figures.mjs';
import { mustRun } from '../../scripts/setup/command.mjs';

export const area = 'framecode';

const repetitions = 5;
// A pipeline handles whole pictures in between: eight taken in turn come from further away than the nearest cache.
const figures = [
  { id: 'framecode.stamp-2160', benchmark: 'framecode.stamp-2160/8', atMost: 0.1 },
  { id: 'framecode.stamp-2160-cached', benchmark: 'framecode.stamp-2160/1' },
  { id: 'framecode.read-2160', benchmark: 'framecode.read-2160/8', atMost: 0.05 },
  { id: 'framecode.read-2160-cached', benchmark: 'framecode.read-2160/1' },
  { id: 'framecode.white-line-2160', benchmark: 'pattern.white-line-2160/8' },
  { id: 'framecode.noise-2160', benchmark: 'pattern.noise-2160/8' },
  { id: 'framecode.preview-2160', benchmark: 'pattern.preview-2160/8' },
  { id: 'framecode.classify-2160', benchmark: 'pattern.classify-2160/8' },
];

export async function run({ buildFolder, minTimeSeconds = 0.5 }) {
  try {
    const report = await googleBenchmark(path.join(buildFolder, 'framecode_bench'), minTimeSeconds);
    return figures.map((measured) => figureOf(measured, report));
  } catch (error) {
    return figures.map(({ benchmark, ...measured }) =>
      figure({ ...measured, unit: 'ms', notMeasured: error.message }),
    );
  }
}

function figureOf({ benchmark, ...measured }, report) {
  const entry = report.benchmarks.find(
    (candidate) => candidate.run_name === benchmark && candidate.aggregate_name === 'median',
  );
  // CPU time of the one thread: what other processes take meanwhile does not count.
  const value = entry?.cpu_time ?? null;
  const notMeasured = entry ? undefined : `${benchmark} is not in framecode_bench`;
  return figure({ ...measured, unit: 'ms', value, notMeasured });
}

async function googleBenchmark(executable, minTimeSeconds) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  const reportFile = path.join(folder, 'framecode.json');
  try {
    const flags = [`--benchmark_repetitions=${repetitions}`, `--benchmark_min_time=${minTimeSeconds}`];
    await mustRun(executable, [...flags, `--benchmark_out=${reportFile}`, '--benchmark_out_format=json'], {
      failure: 'the frame code benchmark did not run to its end',
    });
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
