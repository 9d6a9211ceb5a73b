import { mkdirSync } from 'node:fs';
import { chosenNames } from './chosen.mjs';
import { setUp } from './setup/index.mjs';
import { runMain, seconds } from './setup/report.mjs';
import { hasPassed, resultFolder } from './test/counts.mjs';
import { endSuites, runSuite } from './test/run-suite.mjs';
import { stagesOf, suites } from './test/suites.mjs';
import { printSummary } from './test/summary.mjs';

const suiteNames = Object.keys(suites);

await runMain(async () => {
  const startedMs = Date.now();
  const words = process.argv.slice(2);
  if (words.includes('--help') || words.includes('-h')) return printUsage();
  const chosen = chosenNames(words, suiteNames, 'suite', 'npm test -- --help');
  const environment = await setUp(['console', 'test', 'package']);
  mkdirSync(resultFolder, { recursive: true });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => endBy(signal));
  const results = [];
  for (const stage of stagesOf(chosen)) results.push(...(await runStage(stage, environment)));
  const sum = printSummary(results);
  process.stdout.write(`the whole run took ${seconds(startedMs)}\n`);
  return hasPassed(sum) ? 0 : 1;
});

function printUsage() {
  process.stdout.write(`Usage: npm test                  all suites
       npm test -- SUITE…        some of ${suiteNames.join(', ')}
One file: npx vitest run --project 'unit*' FILE
One test of the native core: native/build-test-plain/whiteline_core_tests --gtest_filter=NAME
`);
  return 0;
}

async function endBy(signal) {
  await endSuites();
  process.kill(process.pid, signal);
}

async function runStage({ lanes, left }, environment) {
  const isBesideOthers = lanes.length > 1;
  const waiting = [...left];
  const results = [];
  const runLane = async (names) => {
    const own = [...names];
    for (let name = own.shift(); name !== undefined; name = own.shift() ?? waiting.shift()) {
      process.stdout.write(`\n=== ${name} ===\n`);
      results.push(await runSuite(name, environment, { isBesideOthers }));
    }
  };
  await Promise.all(lanes.map(runLane));
  return results;
}
