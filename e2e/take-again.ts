import { test as base } from '@playwright/test';
import { patienceMs, StolenCpu } from '../app/testing/stolen-cpu';
import './worker';

const stolenCpu = new StolenCpu();

/**
 * Annotates a test with the tag @timing that fails while a hypervisor takes the CPU away. Playwright tries it again when the
 * machine is left alone. If the hypervisor took the CPU from each try, `scripts/test` counts the test as not measured,
 * otherwise as failed.
 */
export const test = base.extend<{ stolenCpu: undefined }>({
  stolenCpu: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use, testInfo) => {
      if (testInfo.retry > 0) await stolenCpu.calm();
      const startedMs = stolenCpu.now();
      await use(undefined);
      if (testInfo.status === testInfo.expectedStatus || !testInfo.tags.includes('@timing')) return;
      const stolen = stolenCpu.since(startedMs);
      if (stolen) testInfo.annotations.push({ type: 'not measured', description: stolen });
    },
    { auto: true, timeout: patienceMs + 15_000 },
  ],
});
