import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from './bundle.mjs';
import { figure, median } from './figures.mjs';

export const area = 'load';

/** More than a run with the most streams has: of hosts that libndi gives many threads. */
const hosts = { processes: 8, threadsEach: 40 };
const figures = [
  { id: 'load.sampler-cpu', unit: '% of a core', of: (result) => result.samplerPercent, atMost: 1 },
  { id: 'load.look-p50', unit: 'ms', of: (result) => median(result.lookMs) },
  { id: 'load.look-max', unit: 'ms', of: (result) => Math.max(...result.lookMs) },
  {
    id: 'load.gpu-tool-cpu',
    unit: '% of a core',
    of: (result) => result.gpuToolPercent,
    reasonOf: (result) => result.gpuToolReason,
  },
];

/** What the load sampler costs at two samples a second. */
export async function run({ seconds = 20 }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const file = await bundleProgram('load-cost', folder);
    const programArguments = [file, JSON.stringify({ ...hosts, seconds })];
    const { stdout } = await promisify(execFile)(process.execPath, programArguments);
    const result = JSON.parse(stdout);
    return figures.map(({ of, reasonOf, ...measured }) => {
      const value = of(result);
      return figure({ ...measured, value, notMeasured: value === null ? reasonOf?.(result) : undefined });
    });
  } catch (error) {
    return figures.map(({ of, reasonOf, ...measured }) =>
      figure({ ...measured, notMeasured: error.message }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
