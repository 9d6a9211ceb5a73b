import { runChecks } from '../check.mjs';
import { runAttack } from './attack.mjs';
import { runClosings } from './closings.mjs';
import { runCoreTests, runHelperTests, runSanitizedCoreTests } from './core.mjs';
import { sumOf } from './counts.mjs';
import { runFuzzTests } from './fuzz.mjs';
import { runPackageTests } from './package.mjs';
import { runPlaywright } from './playwright.mjs';
import { runVitest } from './vitest.mjs';

/** Each is given what set-up resolved to, and resolves to its counts. */
export const suites = {
  check: () => runChecks(),
  core: runCoreTests,
  helpers: runHelperTests,
  sanitizers: async () => sumOf([await runSanitizedCoreTests(), await runClosings()]),
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
 * Stages run one after the other, the lanes of a stage side by side, the suites of a lane one after the other; the lane that ends
 * first takes what is left. Suites that measure nothing come first: they fail soonest and explain most. Suites that share a native
 * build share a lane. Each suite that measures has the machine to itself, except `attack` and `addon`, which mostly wait.
 */
const stages = [
  { lanes: [['check', 'core', 'helpers', 'sanitizers', 'fuzz'], ['unit']], left: ['package'] },
  { lanes: [['load']], left: [] },
  { lanes: [['ndi']], left: [] },
  { lanes: [['attack'], ['addon']], left: [] },
  { lanes: [['network']], left: [] },
  { lanes: [['e2e']], left: [] },
  { lanes: [['browser']], left: [] },
];

/** The stages of these suites, without lanes of none. */
export function stagesOf(names) {
  const chosen = (lane) => lane.filter((name) => names.includes(name));
  return stages
    .map(({ lanes, left }) => ({ lanes: lanes.map(chosen), left: chosen(left) }))
    .map(({ lanes, left }) => ({ lanes: lanes.filter((lane) => lane.length > 0), left }))
    .map(({ lanes, left }) => (lanes.length > 0 ? { lanes, left } : { lanes: [left], left: [] }))
    .filter(({ lanes }) => lanes.flat().length > 0);
}
