import path from 'node:path';
import { figure } from '../../scripts/bench/figures.mjs';
import { googleBenchmark, medianCpuTime } from '../../scripts/bench/google-benchmark.mjs';

export const area = 'framecode';

// A pipeline handles whole pictures in between: eight taken in turn come from further away than the nearest cache.
const figures = [
  { id: 'framecode.stamp-2160', benchmark: 'framecode.stamp-2160/8', atMost: 0.1 },
  { id: 'framecode.stamp-2160-cached', benchmark: 'framecode.stamp-2160/1' },
  { id: 'framecode.read-2160', benchmark: 'framecode.read-2160/8', atMost: 0.05 },
  { id: 'framecode.read-2160-cached', benchmark: 'framecode.read-2160/1' },
  // What the receiver's thread does with a picture; the engine's part of a frame is in the area ledger.
  { id: 'framecode.follow-2160', benchmark: 'framecode.follow-2160/8', atMost: 0.05 },
  {
    id: 'framecode.follow-undecodable-2160',
    benchmark: 'framecode.follow-undecodable-2160/8',
    atMost: 0.1,
  },
  { id: 'framecode.white-line-2160', benchmark: 'pattern.white-line-2160/8' },
  { id: 'framecode.noise-2160', benchmark: 'pattern.noise-2160/8' },
  { id: 'framecode.preview-2160', benchmark: 'pattern.preview-2160/8' },
  { id: 'framecode.classify-2160', benchmark: 'pattern.classify-2160/8' },
];

export async function run({ buildFolder, minTimeSeconds = 0.5 }) {
  try {
    const report = await googleBenchmark(path.join(buildFolder, 'framecode_bench'), { minTimeSeconds });
    return figures.map((measured) => figureOf(measured, report));
  } catch (error) {
    return figures.map(({ benchmark, ...measured }) =>
      figure({ ...measured, unit: 'ms', notMeasured: error.message }),
    );
  }
}

function figureOf({ benchmark, ...measured }, report) {
  const value = medianCpuTime(report, benchmark);
  const notMeasured = value === null ? `${benchmark} is not in framecode_bench` : undefined;
  return figure({ ...measured, unit: 'ms', value, notMeasured });
}
