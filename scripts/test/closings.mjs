import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleProgram } from '../bench/bundle.mjs';
import { buildNative, nativeBuildFolder } from '../native-build.mjs';
import { outputOf, run } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { note, seconds, step } from '../setup/report.mjs';
import { withFixedAddresses } from './core.mjs';
import { counted } from './counts.mjs';
import { failureOf } from './failures.mjs';

const programFolder = 'native/tests/closings';
const ndiFolder = path.join(rootFolder, 'node_modules/@grandi/linux-x64');
const clip = path.join(rootFolder, 'test-content/bars-640x360-30-hap.mov');

/** Node is not built with the sanitizer that the addon is built with, so its runtime comes first of all libraries. */
const sanitizers = {
  'test-asan': {
    runtime: ['clang++', 'libclang_rt.asan-x86_64.so'],
    // Node leaves much to the end of the process. A small quarantine, so that what the process holds shows.
    environment: { ASAN_OPTIONS: 'exitcode=66:detect_leaks=0:quarantine_size_mb=16' },
  },
  'test-tsan': {
    runtime: ['g++', 'libtsan.so'],
    environment: {
      TSAN_OPTIONS: `exitcode=66:ignore_noninstrumented_modules=1`,
    },
  },
};

/** The short form: every edge of every handle, then some closings under load, with both sanitizers at the same time. */
export async function runClosings() {
  const seed = closingsSeed();
  const kinds = Object.keys(sanitizers);
  await buildAddons(kinds);
  const options = { seed, closings: 150, edges: true, timeoutMs: 180_000 };
  const found = await Promise.all(kinds.map((kind) => closeUnder(kind, options)));
  const failures = kinds.flatMap((kind, index) =>
    found[index] === null ? [] : [failureOf(`closings under ${kind}`, found[index])],
  );
  return counted(kinds.length - failures.length, failures);
}

export async function buildAddons(kinds = Object.keys(sanitizers)) {
  for (const kind of kinds) {
    await step(kind, `building native/build-${kind}`, (onProgress) => buildNative(kind, onProgress));
  }
}

/** A new one each time, unless one is to be repeated. */
export function closingsSeed() {
  const seed = Number(process.env.WHITELINE_CLOSINGS_SEED ?? Date.now() % 2 ** 31);
  note('closings', `seed ${seed}; WHITELINE_CLOSINGS_SEED=${seed} repeats it`);
  return seed;
}

/**
 * Opens and closes the addon's handles (native/tests/closings) in a plain Node under a sanitizer.
 * @param {{ seed: number, closings: number, edges: boolean, timeoutMs: number }} options
 * @param {(look: object) => void} onLook is given what the process holds as closings go on
 * @returns what was found, null for nothing
 */
export async function closeUnder(kind, { timeoutMs, ...options }, onLook = () => {}) {
  const startedMs = Date.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-closings-'));
  const { runtime, environment } = sanitizers[kind];
  try {
    const file = await bundleProgram('closings', folder, programFolder);
    const given = { ndiFolder: process.env.WHITELINE_NDI_PATH || ndiFolder, clip, ...options };
    const prefix = `closings-${process.pid}`;
    const lines = [];
    const preload = `LD_PRELOAD=${outputOf(runtime[0], [`-print-file-name=${runtime[1]}`])}`;
    const node = [process.execPath, '--expose-gc', file, JSON.stringify({ prefix, ...given })];
    const { status, signal } = await run(...withFixedAddresses(kind, 'env', [preload, ...node]), {
      env: {
        ...process.env,
        ...environment,
        WHITELINE_ADDON: path.join(nativeBuildFolder(kind), 'whiteline.node'),
        TMPDIR: folder,
      },
      timeout: timeoutMs,
      onLine: (line) => {
        const look = lookOf(line);
        if (look) onLook(look);
        else lines.push(line);
      },
    });
    const ending = signal ?? `status ${status}`;
    note('closings', `${options.closings} under ${kind} ended with ${ending}, ${seconds(startedMs)}`);
    if (status === 0) return null;
    process.stdout.write(`${lines.join('\n')}\n`);
    return [`ended with ${ending}`, ...lines].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lookOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
