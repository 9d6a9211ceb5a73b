import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { rootFolder } from '../setup/platform.mjs';
import { v8OptionsOf } from '../v8-options.mjs';
import { bundleProgram } from './bundle.mjs';

/**
 * Bundles the engine's load program into a temporary folder and hands `action` a function that runs it:
 * `runLoad({streams, format, seconds, previews, measuresDelay}, onMemory)` resolves to the result. With `isSimulated` the hosts have neither
 * NDI nor frames.
 */
export async function withEngineLoad(action) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const file = await bundleProgram('engine-load', folder);
    const simulatedHost = await bundleProgram('simulated-host', folder);
    return await action(({ isSimulated = false, ...load }, onMemory) =>
      runLoad(file, isSimulated ? { ...load, streamHostFile: simulatedHost } : load, onMemory),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runLoad(file, options, onMemory = () => {}) {
  const memory = [];
  let result = null;
  let complaint = '';
  const programArguments = [
    ...v8OptionsOf('run'),
    file,
    JSON.stringify({ appFolder: rootFolder, ...options }),
  ];
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
