import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { awaitThread, watchOwnStandstill } from './own-standstill';
import { openQueuedTime } from './queued-time';
import { ThreadMemory } from './thread-memory';

const folder = temporaryFolder();

beforeEach(() => {
  if (process.env.WHITELINE_OLD_DIST) throw new Error('dist is older than its sources: npm run build');
});

// Another program may take the processor away.
test('a busy event loop is no standstill', { tags: 'machine' }, () => {
  const watch = watchOwnStandstill();
  onTestFinished(() => watch.close());
  watch.take();
  const endMs = performance.now() + 500;
  while (performance.now() < endMs);
  expect(watch.take()).toEqual([]);
});

test('after its end a watch tells nothing', async () => {
  const watch = watchOwnStandstill();
  expect(watch.take()).toEqual(expect.any(Array));
  watch.close();
  const words = 'The thread that watches for standstills failed: it ended';
  await vi.waitFor(() => expect(() => watch.take()).toThrow(words));
});

test('a thread that a busy machine starts late is waited for: what follows is watched', () => {
  const memory = new ThreadMemory();
  const dueNs = Number(process.hrtime.bigint()) + 3600e9;
  // It beats after more than the patience with a thread that runs.
  const late = `const { workerData: { buffer, dueNs } } = require('node:worker_threads');
    const words = new Int32Array(buffer, 0, 2);
    Atomics.wait(words, 1, 0, 300);
    new BigInt64Array(buffer, 8, 1)[0] = BigInt(dueNs);
    Atomics.add(words, 0, 1);
    Atomics.notify(words, 0);`;
  const thread = new Worker(late, { eval: true, workerData: { buffer: memory.buffer, dueNs } });
  onTestFinished(() => void thread.terminate());
  awaitThread(memory, () => null);
  expect(memory.beats).toBe(1);
});

test('the time in the queue for a processor is read anew each time, and not known where the system does not tell', () => {
  const file = join(folder, 'schedstat');
  writeFileSync(file, '43377846 41398096 18\n');
  const queued = openQueuedTime(file);
  expect(queued()).toBe(41_398_096);
  writeFileSync(file, '425133572 163444302 112\n');
  expect(queued()).toBe(163_444_302);
  for (const untold of ['', '0 0 0\n']) {
    writeFileSync(file, untold);
    expect(queued()).toBeNull();
  }
  expect(openQueuedTime(join(folder, 'absent'))()).toBeNull();
});
