import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from './bundle.mjs';
import { figure } from './figures.mjs';

export const area = 'open-row';

const peer = 'the same in the first hour';
const unit = 'ms';
const mostOutput = 64e6;

/** What the view of an open row of 16 streams costs in the last hour of a day, beside its first hour. */
export async function run({ streams = 16, hours = 24 }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const file = await bundleProgram('open-row-cost', folder);
    const programArguments = [file, JSON.stringify({ streams, hours })];
    const options = { maxBuffer: mostOutput };
    const { stdout } = await promisify(execFile)(process.execPath, programArguments, options);
    const { looks, rows, residentMb } = JSON.parse(stdout);
    return [
      compared('open-row.look-16', looks),
      compared('open-row.shown-16', rows),
      figure({ id: 'open-row.resident-24h', unit: 'MB', value: residentMb }),
    ];
  } catch (error) {
    return [figure({ id: 'open-row.look-16', unit, ratioAtMost: 1.2, notMeasured: error.message })];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compared(id, { firstUs, lastUs }) {
  const [value, peerValue] = [meanMs(lastUs), meanMs(firstUs)];
  return figure({ id, unit, value, peer, peerValue, ratio: value / peerValue, ratioAtMost: 1.2 });
}

function meanMs(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length / 1000;
}
