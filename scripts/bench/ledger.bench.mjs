import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from './bundle.mjs';
import { figure } from './figures.mjs';

export const area = 'ledger';

const streams = 64;
const unit = '% of a core';
const peer = 'JSON.parse of the same captures, one object per record';
const figures = [
  {
    id: 'ledger.receivers-64',
    of: (result) => result.receiversPercent + result.viewsPercent,
    atMost: 2,
    peer,
    peerOf: (result) => result.parsePercent,
  },
  { id: 'ledger.receivers-64-counting', of: (result) => result.receiversPercent },
  { id: 'ledger.receivers-64-views', of: (result) => result.viewsPercent },
  { id: 'ledger.senders-64', of: (result) => result.sendersPercent },
];

/** What following 64 streams of 60 frames a second costs the engine, beside merely parsing what was captured. */
export async function run({ seconds = 20 }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const file = await bundleProgram('ledger-cost', folder);
    const programArguments = [file, JSON.stringify({ streams, seconds })];
    const { stdout } = await promisify(execFile)(process.execPath, programArguments);
    const result = JSON.parse(stdout);
    return figures.map((measured) => figureOf(measured, result));
  } catch (error) {
    return figures.map(({ id, atMost }) => figure({ id, unit, atMost, notMeasured: error.message }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figureOf({ id, atMost, of, peerOf, ...named }, result) {
  const value = of(result);
  if (!peerOf) return figure({ id, unit, value, atMost });
  const peerValue = peerOf(result);
  return figure({ id, unit, value, atMost, ...named, peerValue, ratio: value / peerValue });
}
