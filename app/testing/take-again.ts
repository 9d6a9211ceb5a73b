import { afterEach, beforeEach } from 'vitest';
import { patienceMs, StolenCpu } from './stolen-cpu';

/**
 * Marks a timing test that fails while a hypervisor takes the CPU away. Vitest tries it again (vitest.config.ts) when the
 * machine is left alone. If the hypervisor took the CPU from each try, `scripts/test` counts the test as not measured. A test
 * that fails with the CPU to itself is never tried again.
 */

const stolenCpu = new StolenCpu();
const startedMs = new WeakMap<object, number>();

beforeEach(async ({ task }) => {
  if ((task.result?.retryCount ?? 0) > 0) await stolenCpu.calm();
  startedMs.set(task, stolenCpu.now());
}, patienceMs + 15_000);

afterEach(({ task }) => {
  if (!task.tags?.includes('timing')) return;
  const error = task.result?.errors?.at(-1);
  const stolen = stolenCpu.since(task.meta.measuredFromMs ?? startedMs.get(task) ?? 0);
  const notMeasured = error && task.result?.state === 'fail' ? stolen : null;
  if (error && notMeasured) error.message += `\nNot measured: ${notMeasured}`;
  task.meta.notMeasured = notMeasured;
});

declare module 'vitest' {
  interface TaskMeta {
    /** Why the last try says nothing; null where it says something. */
    notMeasured?: string | null;
    /** When the measurement began that the test judges, where that was before the test; ms of the monotonic clock. */
    measuredFromMs?: number;
  }
}
