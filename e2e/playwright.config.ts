import { defineConfig } from '@playwright/test';

/** These tests allow no late frame. Without a GPU, a second window would slow them down. */
const alone = ['**/display.spec.ts', '**/ramp.spec.ts'];

const displays = (process.env.WHITELINE_DISPLAYS ?? '').split(' ');

function outputOf(project: string): string {
  return `../test-results/e2e/${project}/artifacts`;
}

// `scripts/test` gives the displays (WHITELINE_DISPLAYS, one for each worker), the Electron (WHITELINE_ELECTRON) and the place
// of the JSON report.
export default defineConfig({
  testDir: '.',
  workers: displays.length,
  fullyParallel: true,
  timeout: 120_000,
  // Connecting to an NDI source takes up to some seconds on a busy machine.
  expect: { timeout: 15_000 },
  globalTimeout: 1_800_000,
  forbidOnly: true,
  reporter: [['list'], ['json']],
  projects: [
    { name: 'app', outputDir: outputOf('app'), testMatch: '**/*.spec.ts', testIgnore: alone },
    { name: 'alone', outputDir: outputOf('alone'), testMatch: alone, workers: 1 },
    { name: 'screens', outputDir: outputOf('screens'), testMatch: '**/*.screens.ts', workers: 1 },
    { name: 'package', outputDir: outputOf('package'), testMatch: '**/*.package.ts' },
    {
      name: 'browser',
      outputDir: outputOf('browser'),
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
