import { mkdirSync } from 'node:fs';
import { setUp } from './setup/index.mjs';
import { runMain, SetupError, seconds } from './setup/report.mjs';
import { hasPassed, resultFolder } from './test/counts.mjs';
import { runSuite } from './test/run-suite.mjs';
import { stagesOf, suites } from './test/suites.mjs';
import { printSummary } from './test/summary.mjs';

const suiteNames = Object.keys(suites).join(', ');

await runMain(async () => {
  const startedMs = Date.now();
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return printUsage();
  const chosen = chosenSuites(process.argv.slice(2));
  const environment = await setUp(['console', 'test', 'package']);
  mkdirSync(resultFolder, { recursive: true });
  const results = [];
  for (const lanes of stagesOf(chosen)) results.push(...(await runLanes(lanes, environment)));
  const sum = printSummary(results);
  process.stdout.write(`the whole run took ${seconds(startedMs)}\n`);
  return hasPassed(sum) ? 0 : 1;
});

function printUsage() {
  process.stdout.write(`Usage: npm test                  all suites
       npm test -- SUITE…        some of ${suiteNames}
One file: npx vitest run --project 'unit*' FILE
One test of the native core: native/build-test-plain/whiteline_core_tests --gtest_filter=NAME
`);
  return 0;
}

function chosenSuites(names) {
  const unknown = names.find((name) => !(name in suites));
  if (unknown) {
    throw new SetupError(
      `Expected one of ${suiteNames} for the suite but received ${unknown}.`,
      'npm test -- --help',
    );
  }
  return names.length > 0 ? names : Object.keys(suites);
}

async function runLanes(lanes, environment) {
  const isBesideOthers = lanes.length > 1;
  return (await Promise.all(lanes.map((lane) => runLane(lane, environment, isBesideOthers)))).flat();
}

async function runLane(names, environment, isBesideOthers) {
  const results = [];
  for (const name of names) {
    process.stdout.write(`\n=== ${name} ===\n`);
    results.push(await runSuite(name, environment, { isBesideOthers }));
  }
  return results;
}
