import { cpus } from 'node:os';
import { expect, test } from 'vitest';
import { partOfThread } from '../../../app/engine/load/parts';
import { threadTexts } from '../../../app/testing/process-files';
import { addon, codeOf, keep, waitFor } from './addon_fixture';

const rate = { rateNumerator: 1000, rateDenominator: 1 };

test('each slot has a wake-up that is not early, or passed while the thread slept on', async () => {
  const lateness = keep(new addon.WakeUpLateness({ ...rate, slots: 100 }));
  await waitFor('the last slot', () => (lateness.status().state === 'done' ? true : undefined));
  const { slotsPassed, firstSlotNs } = lateness.status();
  expect(slotsPassed).toBe(100);
  expect((addon.monotonicNs() - firstSlotNs) / 1e6).toBeGreaterThanOrEqual(99);
  lateness.close();
  expect(codeOf(() => lateness.status()).code).toBe('CLOSED');
  // What was recorded stays.
  const { slot, latenessNs, overflowed } = lateness.drain();
  expect(overflowed).toBe(0);
  expect(slot.length).toBe(latenessNs.length);
  expect(slot[0]).toBe(0);
  for (const [index, lateNs] of latenessNs.entries()) {
    expect(lateNs).toBeGreaterThanOrEqual(0);
    const next = slot[index + 1] ?? 100;
    expect(next).toBe(Math.min(100, (slot[index] ?? 0) + 1 + Math.floor(lateNs / 1e6)));
  }
  expect(lateness.drain().slot).toHaveLength(0);
});

test.skipIf(process.platform !== 'linux')('both threads are distinguished from all others', async () => {
  keep(new addon.WakeUpLateness({ ...rate, slots: 1_000_000 }));
  keep(new addon.ProcessorScore());
  const names = await waitFor('both threads', () => {
    const found = [...threadTexts(process.pid, 'comm').values()];
    return found.includes('wl-wake') && found.includes('wl-score') ? found : undefined;
  });
  expect(names.filter((name) => partOfThread(name) === 'check').sort()).toEqual(['wl-score', 'wl-wake']);
});

test('a schedule that cannot be kept is refused', () => {
  const refused = (options: object) =>
    codeOf(() => new addon.WakeUpLateness({ ...rate, slots: 1, ...options })).code;
  for (const options of [
    { slots: 0 },
    { slots: 1_000_001 },
    { slots: 1.5 },
    { rateNumerator: 2000 },
    { rateDenominator: 0 },
  ])
    expect(refused(options), JSON.stringify(options)).toBe('INVALID_ARGUMENT');
});

test.skipIf(process.platform !== 'linux')('each core is scored, by work that takes time', async () => {
  const score = keep(new addon.ProcessorScore());
  const status = await waitFor(
    'all cores',
    () => {
      const now = score.status();
      return now.state === 'running' ? undefined : now;
    },
    60_000,
  );
  expect(status.state).toBe('done');
  expect(status.problemMessage).toBe('');
  expect(status.cores).toHaveLength(status.coresInAll);
  expect(status.coresInAll).toBeLessThanOrEqual(cpus().length);
  for (const { integerMsteps, memoryMBps, notMeasured } of status.cores) {
    expect(notMeasured).toBe('');
    // No processor does a step in less than a tenth of a nanosecond, nor copies a TB in a second.
    expect(integerMsteps).toBeGreaterThan(0);
    expect(integerMsteps).toBeLessThan(10_000);
    expect(memoryMBps).toBeGreaterThan(0);
    expect(memoryMBps).toBeLessThan(1e6);
  }
});
