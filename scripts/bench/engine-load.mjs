import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { rootFolder } from '../setup/platform.mjs';

/**
 * Bundles the engine's load program into a temporary folder and hands `action` a function that runs it:
 * `runLoad({streams, format, seconds}, onMemory)` resolves to the program's result.
 */
export async function withEngineLoad(action) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    // Imported here: soak loads this file before set-up has brought the npm packages.
    const { build } = await import('vite');
    await build(bundle(folder));
    return await action((options, onMemory) =>
      runLoad(path.join(folder, 'engine-load.cjs'), options, onMemory),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bundle(outDir) {
  return {
    configFile: false,
    logLevel: 'warn',
    root: rootFolder,
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: { 'engine-load': path.join(rootFolder, 'scripts/bench/engine-load.ts') },
        // hdr-histogram-js hides its require of zlib from bundlers in an eval, which works as it is.
        checks: { eval: false },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  };
}

function runLoad(file, options, onMemory = () => {}) {
  const memory = [];
  let result = null;
  let complaint = '';
  const programArguments = [file, JSON.stringify({ appFolder: rootFolder, ...options })];
  const child = spawn(process.execPath, programArguments, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.type === 'result') result = message;
    else {
      memory.push(message);
      onMemory(message);
    }
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (result) resolve({ ...result, memory });
      else reject(new Error(complaint.trim() || `the engine's load program ended with status ${status}`));
    });
  });
}
