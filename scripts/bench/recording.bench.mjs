import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rootFolder } from '../setup/platform.mjs';
import { bundleProgram } from './bundle.mjs';
import { figure } from './figures.mjs';

export const area = 'recording';

const hours = 72;
const figures = [
  { id: 'recording.derivations', unit: 'times', of: ({ derivations }) => derivations },
  { id: 'recording.end-seconds', unit: 's', of: ({ endSeconds }) => endSeconds },
  { id: 'recording.end-event-loop-delay-max', unit: 'ms', of: ({ endDelayMs }) => endDelayMs },
  { id: 'recording.resident', unit: 'MB', of: ({ residentMb }) => residentMb },
];

/** What the end of a `watch` of three days costs the process that measures. */
export async function run() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const program = await bundleProgram('recording-cost', folder);
    const words = [program, path.join(folder, 'run'), rootFolder, String(hours)];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    const result = JSON.parse(stdout);
    return figures.map(({ of, ...named }) => figure({ ...named, value: of(result) }));
  } catch (error) {
    return figures.map(({ id, unit }) => figure({ id, unit, notMeasured: error.message }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
