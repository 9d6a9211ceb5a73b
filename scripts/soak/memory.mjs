import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { bundleProgram } from '../bench/bundle.mjs';
import { figure, median, printFigures } from '../bench/figures.mjs';
import { buildNative, nativeBuildFolder } from '../native-build.mjs';
import { setUp } from '../setup/index.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { step } from '../setup/report.mjs';

/** Growth beyond that of the bare SDK in the same run. */
const allowedMb = 10;
/** The figure is the median of this many rounds: what a process holds at one moment depends on what is just being closed. */
const looks = 7;

/** Whether each process gives back what streams took that were opened and closed. */
export async function soakMemory({ cycles }) {
  await setUp(['bench']);
  const title = `${cycles} cycles of opening and closing two streams`;
  const figures = await step('soak', title, (onProgress) => measuredGrowth(cycles, onProgress));
  printFigures(figures);
  return figures.every(({ met }) => met);
}

/**
 * Opens and closes streams for `cycles` cycles (scripts/bench/memory-cycles.ts), and compares what each process holds at the end with what
 * it held after the first quarter, when pools and caches are full.
 */
async function measuredGrowth(cycles, onProgress) {
  await buildNative('bench', onProgress);
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-soak-'));
  try {
    const file = await bundleProgram('memory-cycles', folder);
    const bareExecutable = path.join(nativeBuildFolder('bench'), 'ndi_bare_cycles');
    const memory = await memoryOf(file, { appFolder: rootFolder, bareExecutable, cycles }, onProgress);
    return growthFigures(memory);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function memoryOf(file, options, onProgress) {
  const memory = [];
  let complaint = '';
  const child = spawn(process.execPath, ['--expose-gc', file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const look = JSON.parse(line);
    memory.push(look);
    const held = Object.entries(look).map(([name, value]) => `${name} ${Math.round(value)}`);
    onProgress(held.join(', '));
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve(memory);
      else reject(new Error(complaint.trim() || `memory-cycles ended with status ${status}`));
    });
  });
}

export function growthFigures(memory) {
  const from = Math.floor(memory.length / 4);
  const grown = (process) =>
    heldAt(memory.slice(-looks), process) - heldAt(memory.slice(from).slice(0, looks), process);
  const ours = (process, peer) => {
    const peerValue = peer === undefined ? 0 : grown(peer);
    const value = grown(process);
    const bare = peer === undefined ? {} : { peer: 'bare SDK', peerValue };
    const atMost = Math.max(0, peerValue) + allowedMb;
    return figure({ id: `soak.memory-${process}`, unit: 'MB', value, atMost, ...bare });
  };
  return [
    ours('sending', 'bareSending'),
    ours('receiving', 'bareReceiving'),
    ours('engine'),
    ours('engineHeap'),
  ];
}

function heldAt(looksAt, process) {
  return median(looksAt.map((look) => look[process]));
}
