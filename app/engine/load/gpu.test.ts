import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { DrmLook } from './drm-clients';
import { GpuSampler, machineGpu, wholeMachineGpu, whyNotStarted } from './gpu';

const folder = temporaryFolder();
/** It stands still: what was said does not age. */
const clock = new SimulatedClock();
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
    clock,
    fake('halves', 'printf "0, 4"; sleep 0.2; printf "2\\n0, [N/A]\\n"; exec sleep 30'),
  );
  expect(sampler.percent).toBeNull();
  expect(sampler.reason).toBe('waiting for nvidia-smi');
  await vi.waitFor(() => expect(sampler?.percent).toBe(42));
});

test('it is asked twice a second for its utilisation', async () => {
  const log = join(folder, 'arguments');
  sampler = new GpuSampler(clock, fake('arguments-smi', `echo "$@" > ${log}; echo 0, 7; exec sleep 30`));
  await vi.waitFor(() => expect(sampler?.percent).toBe(7));
  expect(readFileSync(log, 'utf8')).toMatch(/--query-gpu=index,utilization\.gpu .*nounits -lms 500/);
});

test('of several GPUs the busiest counts', async () => {
  sampler = new GpuSampler(clock, fake('three', 'echo 0, 10; echo 1, 80; echo 2, 30; exec sleep 30'));
  await vi.waitFor(() => expect(sampler?.percent).toBe(80));
});

test('an nvidia-smi that ends leaves no load behind, but the reason', async () => {
  const end = join(folder, 'end');
  const waiting = `while [ ! -e ${end} ]; do sleep 0.05; done`;
  sampler = new GpuSampler(clock, fake('ends', `echo 0, 50; ${waiting}; exit 9`));
  await vi.waitFor(() => expect(sampler?.percent).toBe(50));
  expect(sampler.processId).toBeGreaterThan(1);
  writeFileSync(end, '');
  await vi.waitFor(() => expect(sampler?.reason).toBe('nvidia-smi ended with code 9'));
  expect(sampler.percent).toBeNull();
  expect(sampler.processId).toBeNull();
});

test('what nvidia-smi said last is not repeated once it has aged', async () => {
  let nowNs = 1e9;
  sampler = new GpuSampler({ monotonicNs: () => nowNs }, fake('hangs', 'echo 0, 50; exec sleep 30'));
  await vi.waitFor(() => expect(sampler?.percent).toBe(50));
  nowNs += 2e9;
  expect(sampler.percent).toBe(50);
  nowNs += 1;
  expect(sampler.percent).toBeNull();
  expect(sampler.reason).toBe('nvidia-smi reported nothing for 2 s');
});

test('without nvidia-smi there is no load, and the reason says so', async () => {
  sampler = new GpuSampler(clock, join(folder, 'absent'));
  await vi.waitFor(() => expect(sampler?.reason).toMatch(/nvidia-smi was not found/));
  expect(sampler.percent).toBeNull();
});

describe('the machine’s GPU', () => {
  const none = { atNs: 0, clients: new Map() };
  /** A second of two programs, of which 200 is ours; each with its share of the engines. */
  const looks = (
    shares: Record<number, Record<string, number>>,
    unreadable: string | null = null,
  ): Parameters<typeof machineGpu>[1] => {
    const at = (seconds: number): DrmLook => ({
      atNs: seconds * 1e9,
      clients: new Map(
        Object.entries(shares).map(([id, engines]) => [
          id,
          {
            ...{ gpu: 'card', clientId: id, processIds: new Set([Number(id)]) },
            engines: new Map(
              Object.entries(engines).map(([name, percent]) => [
                name,
                { busy: seconds * percent * 1e7, ofTotal: null, capacity: 1 },
              ]),
            ),
          },
        ]),
      ),
    });
    return { before: at(1), now: at(2), unreadable };
  };
  const isOurs = (ids: ReadonlySet<number>): boolean => ids.has(200);

  test.each<[string, number | null, Parameters<typeof machineGpu>[1], object | RegExp]>([
    ['taken by us', null, looks({ 100: { render: 3 }, 200: { render: 92 } }), { percent: 95, others: 3 }],
    [
      'taken by another',
      null,
      looks({ 100: { render: 92 }, 200: { render: 3 } }),
      { percent: 95, others: 92 },
    ],
    [
      'an engine each: what we took of one is no part of the other',
      null,
      looks({ 100: { render: 95 }, 200: { video: 80 } }),
      { percent: 95, others: 95 },
    ],
    ['none of ours on it', null, looks({ 100: { render: 95 } }), { percent: 95, others: 95 }],
    [
      'NVIDIA’s alone',
      95,
      { before: none, now: none, unreadable: null },
      { percent: 95, others: wholeMachineGpu },
    ],
    ['NVIDIA’s the busiest', 95, looks({ 200: { render: 40 } }), { percent: 95, others: wholeMachineGpu }],
    [
      'NVIDIA’s as busy as another',
      95,
      looks({ 200: { render: 95 } }),
      { percent: 95, others: wholeMachineGpu },
    ],
    [
      'NVIDIA’s full beside a fuller one',
      92,
      looks({ 200: { render: 99 } }),
      { percent: 99, others: wholeMachineGpu },
    ],
    ['NVIDIA’s beside a busier one', 30, looks({ 200: { render: 40 } }), { percent: 40, others: 0 }],
    [
      'NVIDIA’s, others unreadable',
      30,
      looks({ 200: { render: 40 } }, 'of another user'),
      { percent: 30, others: wholeMachineGpu },
    ],
    [
      'others unreadable: a part is not the whole',
      null,
      looks({ 200: { render: 40 } }, 'of another user'),
      /^of another user$/,
    ],
    [
      'none seen, but not all could be looked at',
      null,
      { before: none, now: none, unreadable: 'no file descriptor is left' },
      /^no file descriptor is left$/,
    ],
    ['none', null, { before: none, now: none, unreadable: null }, /^no nvidia-smi; no other GPU is in use$/],
  ])('%s', (_, percent, drm, expected) => {
    const load = machineGpu({ percent, reason: 'no nvidia-smi' }, drm, isOurs);
    if (expected instanceof RegExp || typeof load === 'string')
      return expect(load).toMatch(expected as RegExp);
    const rounded = (value: number | string) => (typeof value === 'number' ? Math.round(value) : value);
    expect({ percent: rounded(load.percent), others: rounded(load.others) }).toEqual(expected);
  });
});

test('one that is closed before its absence is reported throws nothing', async () => {
  const closed = new GpuSampler(clock, join(folder, 'absent'));
  closed.close();
  // One that was started later has heard of its absence.
  sampler = new GpuSampler(clock, join(folder, 'absent'));
  await vi.waitFor(() => expect(sampler?.reason).toMatch(/not found/));
  expect(closed.reason).toBe('waiting for nvidia-smi');
});

test('an nvidia-smi that could not be started is not one that is missing', () => {
  const error = (code: string): Error => Object.assign(new Error(`spawn nvidia-smi ${code}`), { code });
  expect(whyNotStarted(error('ENOENT'))).toBe('no NVIDIA driver (nvidia-smi was not found)');
  expect(whyNotStarted(error('EMFILE'))).toBe('nvidia-smi could not be started (EMFILE)');
});
