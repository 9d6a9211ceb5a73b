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
import { isAbortOfSdk } from './sdk-abort.mjs';

const programFolder = 'native/tests/closings';
const ndiFolder = path.join(rootFolder, 'node_modules/@grandi/linux-x64');
const ordinaryAddon = path.join(rootFolder, 'native/build/Release/whiteline.node');
/** As the stream hosts have it (app/engine/node-application.ts). */
const oneHeap = { MALLOC_ARENA_MAX: '1' };
/** Where the SDK aborts by itself, nothing is known of the addon. */
const attempts = 3;
const clip = path.join(rootFolder, 'test-content/bars-640x360-30-hap.mov');

/** Node is not built with the sanitizer that the addon is built with, so its runtime comes first of all libraries. */
const sanitizers = {
  'test-asan': {
    runtime: ['clang++', 'libclang_rt.asan-x86_64.so'],
    // V8 leaves much to the end of the process.
    environment: { ASAN_OPTIONS: 'exitcode=66:handle_abort=1:detect_leaks=0' },
  },
  'test-tsan': {
    runtime: ['g++', 'libtsan.so'],
    // Node and libndi are not built with it: what they do among themselves is not judged.
    environment: {
      TSAN_OPTIONS: 'exitcode=66:handle_abort=1:fast_unwind_on_fatal=0:ignore_noninstrumented_modules=1',
    },
  },
};

/** What closings run under, one after the other in the long form. */
export const sanitizedKinds = Object.keys(sanitizers);

/** The short form: every edge of every handle, then some closings under load, with both sanitizers at the same time. */
export async function runClosings() {
  const seed = closingsSeed();
  await buildSanitized();
  const options = { seed, closings: 150, edges: true, timeoutMs: 180_000 };
  const found = await Promise.all(sanitizedKinds.map((kind) => closeUnder(kind, options)));
  const failures = sanitizedKinds.flatMap((kind, index) =>
    found[index] === null ? [] : [failureOf(`closings under ${kind}`, found[index])],
  );
  return counted(sanitizedKinds.length - failures.length, failures);
}

export async function buildSanitized() {
  for (const kind of sanitizedKinds) {
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
 * Opens and closes the addon's handles (native/tests/closings) in a plain Node, under a sanitizer if `kind` names one.
 * @param {{ seed: number, closings: number, edges: boolean, timeoutMs: number }} options
 * @param {(look: object) => void} onLook is given what the process holds as closings go on
 * @returns what was found, null for nothing
 */
export async function closeUnder(kind, options, onLook = () => {}) {
  for (let attempt = 1; ; attempt++) {
    const found = await closeOnceUnder(kind, options, onLook);
    if (found === null || attempt === attempts || !isAbortOfSdk(found)) return found;
    note('closings', `a thread of the SDK aborted by itself; attempt ${attempt + 1} of ${attempts}`);
  }
}

async function closeOnceUnder(kind, { timeoutMs, ...options }, onLook) {
  const startedMs = Date.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-closings-'));
  try {
    const file = await bundleProgram('closings', folder, programFolder);
    const given = { ndiFolder: process.env.WHITELINE_NDI_PATH || ndiFolder, clip, ...options };
    const prefix = path.basename(folder);
    const lines = [];
    const node = [process.execPath, '--expose-gc', file, JSON.stringify({ prefix, ...given })];
    const { status, signal } = await run(...commandFor(kind, node), {
      env: { ...process.env, ...environmentFor(kind), TMPDIR: folder },
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

function commandFor(kind, node) {
  if (!(kind in sanitizers)) return ['env', node];
  const [compiler, library] = sanitizers[kind].runtime;
  const preload = `LD_PRELOAD=${outputOf(compiler, [`-print-file-name=${library}`])}`;
  return withFixedAddresses(kind, 'env', [preload, ...node]);
}

function environmentFor(kind) {
  if (!(kind in sanitizers)) return { ...oneHeap, WHITELINE_ADDON: ordinaryAddon };
  const addon = path.join(nativeBuildFolder(kind), 'whiteline.node');
  return { ...sanitizers[kind].environment, WHITELINE_ADDON: addon };
}

function lookOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
