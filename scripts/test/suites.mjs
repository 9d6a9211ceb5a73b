import { runChecks } from '../check.mjs';
import { runAttack } from './attack.mjs';
import { runClosings } from './closings.mjs';
import {
  runCoreTests,
  runCoreTestsOnQuietMachine,
  runHelperTests,
  runSanitizedCoreTests,
  runWitnessTests,
} from './core.mjs';
import { sumOf } from './counts.mjs';
import { runDisturbances } from './disturbances.mjs';
import { runFuzzTests } from './fuzz.mjs';
import { runNodeVersions } from './node-versions.mjs';
import { runPackageTests } from './package.mjs';
import { runPlaywright } from './playwright.mjs';
import { runWithAnotherSeed } from './seeds.mjs';
import { runVitest } from './vitest.mjs';
import { runWindowsTests } from './windows.mjs';

/** Each is given what set-up resolved to, and resolves to its counts. */
export const suites = {
  check: () => runChecks(['lint', 'types', 'boundaries', 'test-files', 'clang-format']),
  core: runCoreTests,
  helpers: runHelperTests,
  unit: () => runVitest('unit*'),
  ndi: () => runVitest('ndi*'),
  addon: () => runVitest('addon'),
  network: () => runVitest('network*'),
  e2e: ({ electron }) => runPlaywright('app', electron.executable),
  browser: ({ electron }) => runPlaywright('browser', electron.executable),

  load: () => runVitest('load', 'machine'),
  'core-machine': runCoreTestsOnQuietMachine,
  'unit-machine': () => quietTests(['unit*', 'helpers', 'addon', 'attack']),
  'ndi-machine': () => runVitest('ndi*', 'machine'),
  'network-machine': () => runVitest('network*', 'machine'),
  disturbances: runDisturbances,
  'window-machine': ({ electron }) => runPlaywright('app', electron.executable, { isMachine: true }),

  'clang-tidy': () => runChecks(['clang-tidy']),
  sanitizers: runSanitizedCoreTests,
  witness: runWitnessTests,
  closings: runClosings,
  fuzz: runFuzzTests,
  seeds: runWithAnotherSeed,
  attack: () => runAttack(),
  'node-versions': runNodeVersions,
  prometheus: () => runVitest('prometheus'),
  testkit: () => runVitest('testkit'),
  chromium: ({ electron }) => runPlaywright('chromium', electron.executable),
  screens: ({ electron }) => runPlaywright('screens', electron.executable),
  package: runPackageTests,
  windows: runWindowsTests,
};

async function quietTests(projects) {
  const counts = [];
  for (const project of projects) counts.push(await runVitest(project, 'machine'));
  return sumOf(counts);
}

/** The app, and what its tests read. */
const built = ['app', 'native', 'renderer', 'e2e', 'docs/content.md', 'docs/images', 'docs/schema'];

/**
 * Stages run one after the other, the lanes of a stage side by side, the suites of a lane one after the other. Suites that share a
 * native build share a lane.
 */
export const commands = {
  /** What the code alone decides: beside each other, since most of them wait for something. Those that fail soonest come first. */
  test: {
    stages: [
      [
        ['check', 'core', 'helpers', 'addon'],
        ['unit', 'network'],
        ['ndi', 'e2e', 'browser'],
      ],
    ],
  },
  /** What needs a quiet machine: each suite has it to itself. */
  machine: {
    stages: [
      [
        [
          'core-machine',
          'unit-machine',
          'load',
          'ndi-machine',
          'network-machine',
          'window-machine',
          'disturbances',
        ],
      ],
    ],
  },
  /** What is long, and what it depends on: files and folders of the checkout. */
  deep: {
    stages: [
      [
        ['clang-tidy', 'sanitizers', 'witness', 'closings', 'fuzz', 'seeds'],
        ['attack', 'node-versions', 'prometheus', 'testkit', 'package', 'chromium', 'screens'],
      ],
      // Wine's programs have the machine to themselves: what they wait for has limits of the product.
      [['windows']],
    ],
    inputs: {
      'clang-tidy': ['native', '.clang-tidy'],
      sanitizers: ['native'],
      witness: ['native', 'app'],
      closings: ['native', 'app'],
      fuzz: ['native'],
      attack: built,
      seeds: ['native', 'app'],
      'node-versions': built,
      testkit: [...built, 'docs/testkit.md', 'docs/examples', 'scripts/package/testkit.mjs'],
      prometheus: ['app', 'native', 'docs/grafana-dashboard.json', 'docs/prometheus.md'],
      package: [...built, 'electron-builder.yml', 'LICENSE', 'NOTICE'],
      chromium: built,
      screens: built,
      windows: ['app', 'native', 'renderer', 'electron-builder.yml', 'LICENSE', 'NOTICE'],
    },
  },
};

export function suitesOf({ stages }) {
  return stages.flat(2);
}

/** The stages with these suites, without lanes of none. */
export function stagesOf({ stages }, names) {
  return stages
    .map((lanes) => lanes.map((lane) => lane.filter((name) => names.includes(name))))
    .map((lanes) => lanes.filter((lane) => lane.length > 0))
    .filter((lanes) => lanes.length > 0);
}
