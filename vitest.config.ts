import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The comment `@module-tag machine` marks all tests of a file. */
const tags = [
  { name: 'machine', description: 'needs a quiet machine: npm run test:machine, and not npm test' },
];

/**
 * With other tests beside them, a busy CPU would be the cause of each loss, and would lose frames and datagrams of its own on a
 * machine that somebody else keeps busy too.
 */
const needsQuietCable = ['causes', 'foreign', 'link-experiment'].map((name) => `e2e/network/${name}.test.ts`);

/**
 * RUDP fails beside processes of NDI with another TMPDIR (docs/experiments/transport.md), and each of its tests has one. A live
 * run does not repeat a row that is INVALID because the machine was too busy to be sampled.
 */
const needsMachine = ['app/**/transport.ndi.test.ts', 'app/**/outage.ndi.test.ts'];

const unitTests = {
  include: ['app/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}', 'scripts/**/*.test.mjs'],
  exclude: [
    '**/*.ndi.test.ts',
    '**/*.attack.test.{ts,tsx}',
    '**/*.helper.test.ts',
    '**/*.witness.test.ts',
    '**/*.prometheus.test.ts',
    '**/*.testkit.test.ts',
    '**/*-against-tools.test.ts',
  ],
  // Many wait for a program or a clock: one more than there are processors.
  maxWorkers: cpus().length + 1,
};

/**
 * A test file that replaces a module replaces it for all files in its process, so these files need their own; so does one that reads
 * what Node does in the whole process.
 */
const needsOwnProcess = ['app', 'renderer', 'scripts']
  .flatMap(filesIn)
  .filter(
    (file) =>
      /\.test\.(ts|tsx|mjs)$/.test(file) &&
      /\bvi\.(doM|m)ock\(|\bexecutionAsyncId\b/.test(readFileSync(file, 'utf8')),
  );

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(file) : [file];
  });
}

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    globalSetup: 'scripts/test/fresh-dist.mjs',
    setupFiles: ['asked-node', 'not-measured', 'plain-patterns', 'patience'].map(
      (name) => `app/testing/${name}.ts`,
    ),
    // Against tests that hang: no test is judged by its time, which is many times longer on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // As long as app/testing/patience.ts.
    expect: { poll: { timeout: 60_000 }, requireAssertions: true },
    tags,
    projects: [
      {
        extends: true,
        test: {
          ...unitTests,
          name: 'unit',
          exclude: [...unitTests.exclude, ...needsOwnProcess],
          // Half of the time of short tests would go to starting a process for each file.
          isolate: false,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        test: {
          ...unitTests,
          name: 'unit-isolated',
          include: needsOwnProcess,
        },
      },
      {
        extends: true,
        test: {
          name: 'load',
          include: ['app/**/*-against-tools.test.ts'],
          // What this machine does is held against other tools: nothing else may happen meanwhile.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'ndi',
          include: ['app/**/*.ndi.test.ts'],
          exclude: needsMachine,
          // Streams of real NDI, small and mostly waited for: three files at a time leave each other enough processor time.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'ndi-alone',
          include: needsMachine,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'attack',
          include: ['{app,renderer}/**/*.attack.test.{ts,tsx}'],
          // Some of them send streams of real NDI; most wait for a process or a clock.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'helpers',
          include: ['app/**/*.helper.test.ts'],
          // Each waits for programs and for the beginning of rows more than it works.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'witness',
          include: ['app/**/*.witness.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'prometheus',
          include: ['app/**/*.prometheus.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'testkit',
          include: ['app/**/*.testkit.test.ts'],
          // Each packs the kit, and starts test runners with browsers and streams of real NDI.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'addon',
          include: ['native/tests/addon/**/*.test.ts'],
          // Streams of real NDI of one process, which take little processor time.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'network',
          include: ['e2e/network/**/*.test.ts'],
          exclude: needsQuietCable,
          // Each test has two hosts and the cable between them for itself, and mostly waits.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'network-alone',
          include: needsQuietCable,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
