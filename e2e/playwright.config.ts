import { defineConfig } from '@playwright/test';

// `scripts/test.mjs` gives the display, the Electron (WHITELINE_ELECTRON) and the place of the JSON report.
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/e2e/artifacts',
  workers: 1,
  // Only a try from which the hypervisor took the CPU away may be followed by another: `scripts/test/playwright.mjs`.
  retries: 2,
  timeout: 120_000,
  // Connecting to an NDI source takes up to some seconds on a busy machine.
  expect: { timeout: 15_000 },
  globalTimeout: 1_800_000,
  forbidOnly: true,
  reporter: [['list'], ['json']],
  projects: [
    { name: 'app', testMatch: '**/*.spec.ts' },
    { name: 'screens', testMatch: '**/*.screens.ts' },
    { name: 'package', testMatch: '**/*.package.ts' },
    {
      name: 'browser',
      testMatch: '**/*.browser.ts',
      use: {
        viewport: { width: 1600, height: 1000 },
        colorScheme: 'dark',
        launchOptions: {
          executablePath: process.env.WHITELINE_CHROMIUM ?? '/usr/bin/chromium',
          chromiumSandbox: !process.env.WHITELINE_NO_SANDBOX,
        },
      },
    },
  ],
});
