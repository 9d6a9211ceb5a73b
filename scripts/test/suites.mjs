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
      await runPlaywright('display', electron.executable),
    ]),
  browser: ({ electron }) => runPlaywright('browser', electron.executable),
  package: runPackageTests,
};

/**
 * These measure nothing, and run first and side by side: what fails soonest and explains most comes first. In one lane are
 * those that share a build.
 */
const lanes = [['check', 'core', 'sanitizers', 'fuzz'], ['unit']];

/** The chosen suites in the order in which they run: lanes side by side, then the others one by one. */
export function planOf(names) {
  const chosenLanes = lanes.map((lane) => lane.filter((name) => names.includes(name)));
  return {
    lanes: chosenLanes.filter((lane) => lane.length > 0),
    alone: Object.keys(suites).filter((name) => names.includes(name) && !lanes.flat().includes(name)),
  };
}
