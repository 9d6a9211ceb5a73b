import { test as base } from '@playwright/test';
import { StolenCpu } from '../app/testing/stolen-cpu';
import './worker';

const stolenCpu = new StolenCpu();

/** Annotates a test with the tag @machine that fails while a hypervisor takes the CPU away, as app/testing/not-measured.ts does. */
export const test = base.extend<{ stolenCpu: undefined }>({
  stolenCpu: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use, testInfo) => {
      const startedMs = stolenCpu.now();
      await use(undefined);
      if (testInfo.status === testInfo.expectedStatus || !testInfo.tags.includes('@machine')) return;
      const stolen = stolenCpu.since(startedMs);
      if (stolen) testInfo.annotations.push({ type: 'not measured', description: stolen });
    },
    { auto: true },
  ],
});
