import { afterEach, beforeEach } from 'vitest';
import { StolenCpu } from './stolen-cpu';

/**
 * Marks a test with the tag `machine` that fails while a hypervisor takes the CPU away: `npm run test:machine` lists it as not measured.
 * No other test is excused, and none is tried again.
 */

const stolenCpu = new StolenCpu();
const startedMs = new WeakMap<object, number>();

beforeEach(({ task }) => {
  startedMs.set(task, stolenCpu.now());
});

afterEach(({ task }) => {
  if (!task.tags?.includes('machine')) return;
  const error = task.result?.errors?.at(-1);
  const stolen = stolenCpu.since(task.meta.measuredFromMs ?? startedMs.get(task) ?? 0);
  task.meta.notMeasured = error && task.result?.state === 'fail' ? stolen : null;
});

declare module 'vitest' {
  interface TaskMeta {
    /** Why a failure says nothing; null if it says something. */
    notMeasured?: string | null;
    /** When the measurement began that the test judges, where that was before the test; ms of the monotonic clock. */
    measuredFromMs?: number;
  }
}
