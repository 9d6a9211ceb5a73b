import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { DrmLook } from './drm-clients';
import { GpuSampler, machineGpu } from './gpu';

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

test('what nvidia-smi said last is not repeated once it has aged', async () => {
  let nowNs = 1e9;
  sampler = new GpuSampler(fake('hangs', 'echo 0, 50; exec sleep 30'), () => nowNs);
  await vi.waitFor(() => expect(sampler?.percent).toBe(50));
  nowNs += 2e9;
  expect(sampler.percent).toBe(50);
  nowNs += 1;
  expect(sampler.percent).toBeNull();
  expect(sampler.reason).toBe('nvidia-smi reported nothing for 2 s');
});

test('without nvidia-smi there is no load, and the reason says so', async () => {
  sampler = new GpuSampler(join(folder, 'absent'));
  await vi.waitFor(() => expect(sampler?.reason).toMatch(/nvidia-smi was not found/));
  expect(sampler.percent).toBeNull();
});

test('the machine’s GPU is the busiest one, of whatever maker; a part of its clients is not the whole', () => {
  const nothing = { percent: null, reason: 'no nvidia-smi' };
  const nvidia = { percent: 30, reason: '' };
  const at = (atNs: number, busy: number): DrmLook => {
    const engines = new Map([['render', { busy, ofTotal: null, capacity: 1 }]]);
    const client = { gpu: 'card', clientId: '1', engines, processIds: new Set([1]) };
    return { atNs, clients: new Map([['1', client]]) };
  };
  const none = { atNs: 0, clients: new Map() };
  const looks = { before: at(1e9, 0), now: at(2e9, 0.4e9), unreadable: 0 };
  expect(machineGpu(nothing, looks)).toBeCloseTo(40, 6);
  expect(machineGpu(nvidia, looks)).toBeCloseTo(40, 6);
  expect(machineGpu(nvidia, { ...looks, unreadable: 3 })).toBe(30);
  expect(machineGpu(nothing, { ...looks, unreadable: 3 })).toMatch(/3 processes of other users/);
  expect(machineGpu(nothing, { before: none, now: none, unreadable: 0 })).toMatch(
    /^no nvidia-smi; no other GPU/,
  );
});

test('one that is closed before its absence is reported throws nothing', async () => {
  const closed = new GpuSampler(join(folder, 'absent'));
  closed.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(closed.reason).toBe('waiting for nvidia-smi');
});
