import { readFileSync } from 'node:fs';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { findBundle } from '../protocol/built-bundle';
import { machineClock } from '../protocol/machine-clock';
import { leastStandstillMs, type Standstill } from '../protocol/standstill';
import { ThreadMemory } from './thread-memory';

/** How this process stood still. */
export interface OwnStandstillWatch {
  /**
   * Since the watch began, or since it was last asked. The first call blocks until the watching thread runs. A standstill that has just
   * ended is waited for, 0.2 s at most; where its thread has not run by then, it comes with a later call.
   * @throws Error if the watching thread did not start within 10 s, or has ended: then nothing is known
   */
  take(): Standstill[];
  /** Without it, the watch ends with the process and does not keep it from ending. */
  close(): void;
}

const file = 'standstill.cjs';
/** More than it takes: its whole heap is a few numbers. */
const limits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
const patienceMs = 200;
const longestStartMs = 10_000;

/**
 * Watches from a thread of its own, which a busy event loop does not delay. The thread is given its program as text: its Node need
 * not know how to read the archive that a packaged app lies in.
 */
export function watchOwnStandstill(): OwnStandstillWatch {
  const path = findBundle(file);
  if (path === null) throw new Error(`${file} is missing. Build it: npm run build`);
  const memory = new ThreadMemory();
  let failure: string | null = null;
  const thread = new Worker(readFileSync(path, 'utf8'), {
    ...{ eval: true, workerData: memory.buffer, execArgv: [], resourceLimits: limits },
    env: SHARE_ENV,
  });
  thread.on('error', (error) => {
    failure = error.message;
  });
  thread.on('exit', () => {
    failure ??= 'it ended';
  });
  thread.unref();
  return {
    take() {
      awaitThread(memory, () => failure);
      return memory.standstills.take(machineClock.monotonicNs());
    },
    close: () => memory.close(),
  };
}

/** Blocks while the thread starts, or stands still though this one runs: it has not yet written what has just ended. */
export function awaitThread(memory: ThreadMemory, failure: () => string | null): void {
  const sinceNs = machineClock.monotonicNs();
  for (;;) {
    const why = failure();
    if (why !== null) throw new Error(threadFailed(why));
    const { beats, dueNs } = memory;
    const nowNs = machineClock.monotonicNs();
    const hasBegun = beats !== 0;
    if (hasBegun && nowNs - dueNs < leastStandstillMs * 1e6) return;
    const leftMs = (hasBegun ? patienceMs : longestStartMs) - (nowNs - sinceNs) / 1e6;
    if (leftMs <= 0 && hasBegun) return;
    if (leftMs <= 0) throw new Error(threadFailed(`it did not start within ${longestStartMs / 1000} s`));
    memory.awaitBeat(beats, leftMs);
  }
}

function threadFailed(why: string): string {
  return `The thread that watches for standstills failed: ${why}`;
}
