// @module-tag machine

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { machineClock } from '../../app/engine/clock';
import { compareMachineCpu, readMachineCpu } from '../../app/engine/load/cpu';
import { lossText } from '../../app/facts/loss-words';
import { makeMovie } from '../../app/testing/movies';
import type { StreamRow } from '../../app/testing/named-rows';
import { temporaryFolder } from '../../app/testing/temporary-folder';
import { Scene, type Watched, whatCame } from './scene';

/** Four causes of trouble, each made for real; what the rows say of them must be four different things. */

const folder = temporaryFolder();
/** So many that little of a core is left to anybody else. */
const hogsPerCore = 10;
/** By which words each explanation is known; it must not contain those of the other three. */
const words = {
  link: /the link may (have been|be) (limited|down, or too narrow)/,
  stopped: /our receiving process was stopped/,
  hog: /CPU .*was at \d+ %|one core was full/,
  file: /came late from the disk/,
};

const explanations = new Map<keyof typeof words, string>();

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.open();
});
afterEach(() => scene.close());

/** What is said of the longest loss: a busy machine may add short ones of its own. */
function saidOfLoss({ streams }: Watched): string {
  const losses = streams.flatMap((stream) => stream.losses).sort((a, b) => b.frames - a.frames);
  return losses.map(lossText)[0] ?? '';
}

/** What is said of the row with the most late pictures. */
function saidOfRow({ streams }: Watched): string {
  const late = (stream: StreamRow): number => stream.framesLateSource ?? 0;
  return [...streams].sort((a, b) => late(b) - late(a))[0]?.reason ?? '';
}

function expectOnly(cause: keyof typeof words, text: string): void {
  for (const [name, pattern] of Object.entries(words)) {
    if (name === cause) expect(text, text).toMatch(pattern);
    else expect(text, text).not.toMatch(pattern);
  }
  for (const [other, said] of explanations) if (other !== cause) expect(text).not.toBe(said);
  explanations.set(cause, text);
}

/** If another program fills a core, the explanation of a loss may name that core instead of the link. */
async function othersFillACore(): Promise<boolean> {
  const [before, startedNs] = [readMachineCpu(), machineClock.monotonicNs()];
  await machineClock.sleep(1000);
  const used = compareMachineCpu(before, readMachineCpu(), (machineClock.monotonicNs() - startedNs) / 1e9);
  return (used?.busiestCorePercent ?? 0) > 90;
}

test('a limited link', async () => {
  const mayBeHidden = await othersFillACore();
  await scene.send(['--source', 'noise']);
  const watch = await scene.watch(16);
  await machineClock.sleep(2000);
  scene.network.limitBandwidth('20mbit');
  const watched = await scene.seen(watch);
  expect(watched.views.some(({ state }) => state === 'stalled')).toBe(true);
  const text = saidOfLoss(watched);
  expectOnly(mayBeHidden && words.hog.test(text) ? 'hog' : 'link', text);
});

test('a receiving process that is stopped for three seconds', async () => {
  // More than the kernel's buffers and the SDK's queue hold meanwhile.
  await scene.send(['--source', 'noise', '--format', '640x360@60']);
  // The SDK gives the connection up, and takes some ten seconds for another.
  const watch = await scene.watch(26);
  await machineClock.sleep(2000);
  const [receiver = Number.NaN] = watch.processes('streamhost.cjs receiving');
  process.kill(receiver, 'SIGSTOP');
  await machineClock.sleep(3000);
  process.kill(receiver, 'SIGCONT');
  const watched = await scene.seen(watch);
  expect(
    watched.streams.some(({ losses }) => losses.length > 0),
    whatCame(watched),
  ).toBe(true);
  expectOnly('stopped', saidOfLoss(watched));
  // Our own process lost them: nothing is said of the sender or the link.
  const stopped = watched.rows.filter(({ reason }) => reason.includes('our receiving process was stopped'));
  expect(new Set(stopped.map(({ verdict }) => verdict))).toEqual(new Set(['INVALID']));
});

test('a hog on every core', async () => {
  // Enough work that what the hogs leave is too little for it.
  await scene.send(['--source', 'noise', '--format', '1280x720@60']);
  const watch = await scene.watch(10);
  await machineClock.sleep(2000);
  const hogs: ChildProcess[] = [];
  try {
    for (const core of cpus().keys()) {
      for (let hog = 0; hog < hogsPerCore; hog++) {
        const flags = ['-c', String(core), 'nice', '-n', '-5', 'sh', '-c', 'while :; do :; done'];
        // A session of its own: the kernel shares the processor out by sessions first.
        hogs.push(spawn('taskset', flags, { stdio: 'ignore', detached: true }));
      }
    }
    await machineClock.sleep(4000);
  } finally {
    for (const hog of hogs) hog.kill('SIGKILL');
  }
  const watched = await scene.seen(watch);
  expect(
    watched.streams.some(({ losses }) => losses.length > 0),
    whatCame(watched),
  ).toBe(true);
  expectOnly('hog', saidOfLoss(watched));
});

test('a file that is read too slowly', async () => {
  const movie = join(folder, 'slow.mov');
  makeMovie(movie);
  const library = join(folder, 'slow_read.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, 'e2e/network/slow_read.c', '-ldl']);
  await scene.send(['--source', movie], { LD_PRELOAD: library, SLOW_READ_MS: '80' });
  const watched = await scene.seen(await scene.watch(6));
  expect(watched.streams.some((stream) => (stream.framesLateSourceDisk ?? 0) > 10)).toBe(true);
  expectOnly('file', saidOfRow(watched));
});
