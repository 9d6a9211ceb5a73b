import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mustRun } from '../setup/command.mjs';

const repetitions = 5;

/**
 * Runs a program of Google Benchmark and gives its JSON report, with medians of 5 repetitions.
 * @param {string} executable
 * @param {{minTimeSeconds?: number, environment?: Record<string, string>}} options
 */
export async function googleBenchmark(executable, { minTimeSeconds = 0.5, environment = {} } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  const reportFile = path.join(folder, 'report.json');
  try {
    const flags = [`--benchmark_repetitions=${repetitions}`, `--benchmark_min_time=${minTimeSeconds}`];
    await mustRun(executable, [...flags, `--benchmark_out=${reportFile}`, '--benchmark_out_format=json'], {
      failure: `${path.basename(executable)} did not run to its end`,
      env: { ...process.env, ...environment },
    });
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** CPU time of the one thread, median: what other processes take meanwhile does not count. Null if it did not run. */
export function medianCpuTime(report, name) {
  const entry = report.benchmarks.find(
    (candidate) => candidate.run_name === name && candidate.aggregate_name === 'median',
  );
  return entry?.cpu_time ?? null;
}
