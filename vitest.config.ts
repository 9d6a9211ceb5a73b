import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['app/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}', 'scripts/**/*.test.mjs'],
        },
      },
      {
        extends: true,
        test: {
          name: 'addon',
          include: ['native/tests/addon/**/*.test.ts'],
          // Streams of real NDI: one file at a time, so that none takes another's processor time.
          fileParallelism: false,
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'network',
          include: ['e2e/network/**/*.test.ts'],
          // Each test has two hosts and the cable between them for itself.
          fileParallelism: false,
        },
      },
    ],
  },
});
