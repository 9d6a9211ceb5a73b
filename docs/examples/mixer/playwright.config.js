import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '*.spec.js',
  // Each test has senders, a mixer and a receiver: beside each other they would take the processor time that they need.
  workers: 1,
  // Frames are counted for some seconds, behind a second or two until the first is followed.
  timeout: 60_000,
  reporter: [
    ['list'],
    ['html', { open: 'never' }],
    ['junit', { outputFile: 'results/junit.xml' }],
    ['json', { outputFile: 'results/playwright.json' }],
  ],
  use: {
    launchOptions: {
      // For a browser of the system, such as Debian's, instead of Playwright's own.
      executablePath: process.env.CHROMIUM || undefined,
      chromiumSandbox: !process.env.NO_SANDBOX,
    },
  },
});
