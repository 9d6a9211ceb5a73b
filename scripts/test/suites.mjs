import { runChecks } from '../check.mjs';
import { runAttack } from './attack.mjs';
import { runClosings } from './closings.mjs';
import { runCoreTests, runCoreTestsOnQuietMachine, runHelperTests, runSanitizedCoreTests } from './core.mjs';
import { sumOf } from './counts.mjs';
import { runFuzzTests } from './fuzz.mjs';
import { runPackageTests } from './package.mjs';
import { runPlaywright } from './playwright.mjs';
import { runVitest } from './vitest.mjs';

/** Each is given what set-up resolved to, and resolves to its counts. */
export const suites = {
  check: () => runChecks(['lint', 'types', 'boundaries', 'test-files', 'clang-format']),
  core: runCoreTests,
  helpers: runHelperTests,
  unit: () => runVitest('unit*'),
  ndi: () => runVitest('ndi*'),
  addon: () => runVitest('addon'),
  network: () => runVitest('network*'),
  e2e: ({ electron }) => windowTests(['app', 'alone'], electron),
  browser: ({ electron }) => windowTests(['browser'], electron),

  load: () => runVitest('load', 'machine'),
  'core-machine': runCoreTestsOnQuietMachine,
  'unit-machine': () => quietTests(['unit*', 'helpers', 'addon', 'attack']),
  'ndi-machine': () => runVitest('ndi*', 'machine'),
  'network-machine': () => runVitest('network*', 'machine'),
  'window-machine': ({ electron }) => windowTests(['app', 'alone'], electron, { isMachine: true }),

  'clang-tidy': () => runChecks(['clang-tidy']),
  sanitizers: runSanitizedCoreTests,
  closings: runClosings,
  fuzz: runFuzzTests,
  attack: () => runAttack(),
  package: runPackageTests,
};

async function quietTests(projects) {
  const counts = [];
  for (const project of projects) counts.push(await runVitest(project, 'machine'));
  return sumOf(counts);
}

async function windowTests(projects, electron, options) {
  const counts = [];
  for (const project of projects) counts.push(await runPlaywright(project, electron.executable, options));
  return sumOf(counts);
}

/**
 * Stages run one after the other, the lanes of a stage side by side, the suites of a lane one after the other. Suites that share a
 * native build share a lane.
 */
export const commands = {
  /** What the code alone decides. Suites that fail soonest and explain most come first. */
  test: {
    stages: [[['check', 'core', 'helpers'], ['unit']], [['addon', 'ndi'], ['network']], [['e2e', 'browser']]],
  },
  /** What needs a quiet machine: each suite has it to itself. */
  machine: {
    stages: [[['core-machine', 'unit-machine', 'load', 'ndi-machine', 'network-machine', 'window-machine']]],
  },
  /** What is long, and what it depends on: files and folders of the checkout. */
  deep: {
    stages: [
      [
        ['clang-tidy', 'sanitizers', 'closings', 'fuzz'],
        ['attack', 'package'],
      ],
    ],
    inputs: {
      'clang-tidy': ['native', '.clang-tidy'],
      sanitizers: ['native'],
      closings: ['native'],
      fuzz: ['native'],
      attack: ['app', 'native', 'renderer'],
      package: ['app', 'native', 'renderer', 'e2e', 'electron-builder.yml', 'LICENSE', 'NOTICE'],
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
