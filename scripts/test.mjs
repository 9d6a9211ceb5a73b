import { mkdirSync } from 'node:fs';
import { runChecks } from './check.mjs';
import { setUp } from './setup/index.mjs';
import { runMain, SetupError, seconds } from './setup/report.mjs';
import { runAttack } from './test/attack.mjs';
import { runCoreTests, runSanitizedCoreTests } from './test/core.mjs';
import { oneFailed, resultFolder, sumOf } from './test/counts.mjs';
import { failureText } from './test/failures.mjs';
import { runFuzzTests } from './test/fuzz.mjs';
import { runPackageTests } from './test/package.mjs';
import { runPlaywright } from './test/playwright.mjs';
import { runVitest } from './test/vitest.mjs';

// In this order: what fails soonest and explains most comes first.
const suites = {
  check: () => runChecks(),
  core: runCoreTests,
  sanitizers: runSanitizedCoreTests,
  fuzz: runFuzzTests,
  unit: () => runVitest('unit'),
  load: () => runVitest('load'),
  ndi: () => runVitest('ndi'),
  attack: () => runAttack(),
  addon: () => runVitest('addon'),
  network: () => runVitest('network'),
  e2e: ({ electron }) => runPlaywright('app', electron.executable),
  browser: ({ electron }) => runPlaywright('browser', electron.executable),
  package: runPackageTests,
};

const slowestShown = 10;

await runMain(async () => {
  const chosen = chosenSuites(process.argv.slice(2));
  const environment = await setUp(['console', 'test', 'package']);
  mkdirSync(resultFolder, { recursive: true });
  const results = [];
  for (const name of chosen) results.push(await runSuite(name, environment));
  printSummary(results);
  return results.some(({ failed }) => failed > 0) ? 1 : 0;
});

function chosenSuites(names) {
  const unknown = names.find((name) => !(name in suites));
  if (unknown) {
    const known = Object.keys(suites).join(', ');
    throw new SetupError(
      `Expected one of ${known} for the suite but received ${unknown}.`,
      'correct its name',
    );
  }
  return names.length > 0 ? names : Object.keys(suites);
}

async function runSuite(name, environment) {
  const startedMs = Date.now();
  process.stdout.write(`\n=== ${name} ===\n`);
  const counts = await countsOrCrash(suites[name], environment);
  return { name, ...counts, duration: seconds(startedMs) };
}

/** A suite that cannot even start is one failed test, and the others go on. */
async function countsOrCrash(suite, environment) {
  try {
    return await suite(environment);
  } catch (error) {
    return oneFailed(error instanceof SetupError ? error.message : error.stack);
  }
}

function printSlowest(results) {
  const times = results.flatMap(({ name, times }) => times.map((time) => ({ suite: name, ...time })));
  const slowest = times.sort((one, other) => other.seconds - one.seconds).slice(0, slowestShown);
  if (slowest.length > 0) process.stdout.write('\nslowest tests:\n');
  for (const { suite, name, seconds } of slowest)
    process.stdout.write(`${`${seconds.toFixed(1)} s`.padStart(9)}  ${suite}: ${name}\n`);
  process.stdout.write('\n');
}

function printSummary(results) {
  process.stdout.write('\n=== summary ===\n');
  for (const { name, passed, failed, notMeasured, duration } of results) {
    const verdict = failed > 0 ? 'FAILED' : 'passed';
    const cells = [
      name.padEnd(12),
      verdict,
      `${passed} passed`.padStart(12),
      `${failed} failed`.padStart(10),
      duration.padStart(9),
      ...(notMeasured.length > 0 ? [`${notMeasured.length} not measured`] : []),
    ];
    process.stdout.write(`${cells.join('  ')}\n`);
  }
  printSlowest(results);
  for (const { name, failures } of results)
    for (const failure of failures) process.stdout.write(`FAILED ${name}: ${failureText(failure)}\n`);
  for (const { name, notMeasured } of results)
    for (const test of notMeasured) process.stdout.write(`NOT MEASURED ${name}: ${test}\n`);
  const { passed, failed, notMeasured } = sumOf(results);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  if (notMeasured.length > 0)
    process.stdout.write(
      `${notMeasured.length} not measured: the hypervisor took the CPU away in each try; run them on a machine of their own\n`,
    );
}
