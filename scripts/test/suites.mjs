import { runChecks } from '../check.mjs';
import { runAttack } from './attack.mjs';
import { runCoreTests, runSanitizedCoreTests } from './core.mjs';
import { sumOf } from './counts.mjs';
import { runFuzzTests } from './fuzz.mjs';
import { runPackageTests } from './package.mjs';
import { runPlaywright } from './playwright.mjs';
import { runVitest } from './vitest.mjs';

/** Each is given what set-up resolved to, and resolves to its counts. */
export const suites = {
  check: () => runChecks(),
  core: runCoreTests,
  sanitizers: runSanitizedCoreTests,
  fuzz: runFuzzTests,
  unit: () => runVitest('unit*'),
  load: () => runVitest('load'),
  ndi: () => runVitest('ndi*'),
  attack: () => runAttack(),
  addon: () => runVitest('addon'),
  network: () => runVitest('network*'),
  e2e: async ({ electron }) =>
    sumOf([
      await runPlaywright('app', electron.executable),
      await runPlaywright('alone', electron.executable),
    ]),
  browser: ({ electron }) => runPlaywright('browser', electron.executable),
  package: runPackageTests,
};

/**
 * Stages run one after the other, the lanes of a stage side by side, the suites of a lane one after the other. Suites that
 * measure nothing come first: they fail soonest and explain most. Suites that share a native build share a lane. Each suite
 * that measures has the machine to itself, except `attack` and `addon`, which mostly wait.
 */
const stages = [
  [
    ['check', 'core', 'sanitizers', 'fuzz'],
    ['unit', 'package'],
  ],
  [['load']],
  [['ndi']],
  [['attack'], ['addon']],
  [['network']],
  [['e2e']],
  [['browser']],
];

/** The stages of these suites: lists of lanes, which are lists of names. */
export function stagesOf(names) {
  return stages
    .map((lanes) => lanes.map((lane) => lane.filter((name) => names.includes(name))))
    .map((lanes) => lanes.filter((lane) => lane.length > 0))
    .filter((lanes) => lanes.length > 0);
}
