import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { GpuSampler } from './gpu';

const folder = temporaryFolder();
let sampler: GpuSampler | null = null;
afterEach(() => sampler?.close());

/** A program that stands in for nvidia-smi. */
function fake(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('the load is what nvidia-smi prints, also when a line comes in two pieces', async () => {
  sampler = new GpuSampler(
    fake('halves', 'printf "0, 4"; sleep 0.2; printf "2\\n0, [N/A]\\n"; exec sleep 30'),
  );
  expect(sampler.percent).toBeNull();
  expect(sampler.reason).toBe('waiting for nvidia-smi');
  await vi.waitFor(() => expect(sampler?.percent).toBe(42));
});

test('it is asked twice a second for its utilisation', async () => {
  const log = join(folder, 'arguments');
  sampler = new GpuSampler(fake('arguments-smi', `echo "$@" > ${log}; echo 0, 7; exec sleep 30`));
  await vi.waitFor(() => expect(sampler?.percent).toBe(7));
  expect(readFileSync(log, 'utf8')).toMatch(/--query-gpu=index,utilization\.gpu .*nounits -lms 500/);
});

test('of several GPUs the busiest counts', async () => {
  sampler = new GpuSampler(fake('three', 'echo 0, 10; echo 1, 80; echo 2, 30; exec sleep 30'));
  await vi.waitFor(() => expect(sampler?.percent).toBe(80));
});

test('an nvidia-smi that ends leaves no load behind, but the reason', async () => {
  const end = join(folder, 'end');
  const waiting = `while [ ! -e ${end} ]; do sleep 0.05; done`;
  sampler = new GpuSampler(fake('ends', `echo 0, 50; ${waiting}; exit 9`));
  await vi.waitFor(() => expect(sampler?.percent).toBe(50));
  expect(sampler.processId).toBeGreaterThan(1);
  writeFileSync(end, '');
  await vi.waitFor(() => expect(sampler?.reason).toBe('nvidia-smi ended with code 9'));
  expect(sampler.percent).toBeNull();
  expect(sampler.processId).toBeNull();
});

test('without nvidia-smi there is no load, and the reason says so', async () => {
  sampler = new GpuSampler(join(folder, 'absent'));
  await vi.waitFor(() => expect(sampler?.reason).toMatch(/nvidia-smi was not found/));
  expect(sampler.percent).toBeNull();
});

test('one that is closed before its absence is reported throws nothing', async () => {
  const closed = new GpuSampler(join(folder, 'absent'));
  closed.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(closed.reason).toBe('waiting for nvidia-smi');
});
