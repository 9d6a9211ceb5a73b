import { defineConfig } from '@playwright/test';
import type { ConsoleOptions } from './app';

/** What a window draws, charts and pages: these run in Electron and in the distribution's Chromium. */
const inBothSpecs = [
  ...['controls-nmos', 'live-sources', 'sessions', 'source-pixels', 'source-view', 'streams', 'window'],
].map((name) => `**/${name}.spec.ts`);

/** The distribution's Chromium, which is as new as the current Electron's. Without a GPU it draws WebGL only when it is set to. */
const browser = {
  executablePath: process.env.WHITELINE_CHROMIUM ?? '/usr/bin/chromium',
  chromiumSandbox: !process.env.WHITELINE_NO_SANDBOX,
  args: ['--enable-unsafe-swiftshader'],
};

const displays = (process.env.WHITELINE_DISPLAYS ?? '').split(' ');

// `scripts/test` gives the displays (WHITELINE_DISPLAYS, one for each worker), the Electron (WHITELINE_ELECTRON) and the places
// of the JSON report and of what a test leaves.
export default defineConfig<ConsoleOptions>({
  testDir: '.',
  workers: displays.length,
  fullyParallel: true,
  // Against tests that hang: no test is judged by its time, which is many times longer on a busy machine.
  timeout: 300_000,
  expect: { timeout: 60_000 },
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
        actionTimeout: 60_000,
        viewport: { width: 1600, height: 1000 },
        colorScheme: 'dark',
        launchOptions: browser,
      },
    },
    {
      name: 'chromium',
      testMatch: ['**/*.chromium.ts', ...inBothSpecs],
      grepInvert: /@electron/,
      // In a window on a display, as Electron's.
      use: { isInBrowser: true, launchOptions: { ...browser, headless: false } },
    },
  ],
});
