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
  ndi: () => runVitest('ndi'),
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
 * One stage follows the other; the lanes of a stage run side by side, the suites of a lane one after the other. What measures
 * nothing comes first: it fails soonest and explains most. One lane has those that share a native build. What measures
 * has the machine to itself, but for two that mostly wait.
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

/** Of these suites: stages of lanes. */
export function stagesOf(names) {
  return stages
    .map((lanes) => lanes.map((lane) => lane.filter((name) => names.includes(name))))
    .map((lanes) => lanes.filter((lane) => lane.length > 0))
    .filter((lanes) => lanes.length > 0);
}
