import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MachineCpu } from '../engine/load/cpu';
import { StolenCpu } from './stolen-cpu';

const limitPercent = 5;
/** Ticks of 10 ms on two cores: 200 in a second. */
let steal = 0;
const read = (): MachineCpu => ({ idle: 0, steal, cores: 2, notBusyByCore: [0, 0] });

beforeEach(() => {
  steal = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('one second above the limit is reported, but not to who began after it', async () => {
  const stolenCpu = new StolenCpu(limitPercent, read);
  const before = stolenCpu.now();
  await vi.advanceTimersByTimeAsync(3000);
  expect(stolenCpu.since(before)).toBeNull();
  steal += 30;
  await vi.advanceTimersByTimeAsync(3000);
  expect(stolenCpu.since(before)).toBe(
    'the hypervisor took 15.0 % of the CPU away in one second of it (limit 5 %)',
  );
  const after = stolenCpu.now();
  await vi.advanceTimersByTimeAsync(3000);
  expect(stolenCpu.since(after)).toBeNull();
});

test('the same share spread over many seconds is none', async () => {
  const stolenCpu = new StolenCpu(limitPercent, read);
  for (let second = 0; second < 10; second++) {
    steal += 8;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(stolenCpu.since(0)).toBeNull();
});

test('where the system does not report, nothing was taken', async () => {
  const stolenCpu = new StolenCpu(limitPercent, () => null);
  await vi.advanceTimersByTimeAsync(3000);
  expect(stolenCpu.since(0)).toBeNull();
});
