import { mkdirSync } from 'node:fs';
import { chosenNames } from './chosen.mjs';
import { setUp } from './setup/index.mjs';
import { note, runMain, seconds } from './setup/report.mjs';
import { hasPassed, resultFolder } from './test/counts.mjs';
import { hasPassedBefore, notePassed, stampOf } from './test/passed-before.mjs';
import { endSuites, runSuite } from './test/run-suite.mjs';
import { commands, stagesOf, suitesOf } from './test/suites.mjs';
import { printSummary } from './test/summary.mjs';

const scripts = { test: 'npm test', machine: 'npm run test:machine', deep: 'npm run test:deep' };

await runMain(async () => {
  const startedMs = Date.now();
  const words = process.argv.slice(2);
  const name = words[0] in scripts ? words.shift() : 'test';
  const command = commands[name];
  const onlyChanged = command.inputs !== undefined && words.includes('--changed');
  const asked = words.filter((word) => !(onlyChanged && word === '--changed'));
  if (asked.includes('--help') || asked.includes('-h')) return printUsage(name);
  const chosen = chosenNames(asked, suitesOf(command), 'suite', `${scripts[name]} -- --help`);
  const environment = await setUp(['console', 'test', 'package']);
  const stamps = command.inputs
    ? Object.fromEntries(chosen.map((suite) => [suite, stampOf(suite, command.inputs[suite])]))
    : {};
  const changed = onlyChanged ? chosen.filter((suite) => !hasPassedBefore(stamps[suite])) : chosen;
  for (const suite of chosen.filter((one) => !changed.includes(one)))
    note('test', `${suite} passed before on this machine, and nothing that it depends on has changed`);
  if (changed.length === 0) return 0;
  mkdirSync(resultFolder, { recursive: true });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => endBy(signal));
  const results = [];
  for (const lanes of stagesOf(command, changed)) results.push(...(await runStage(lanes, environment)));
  for (const { name: suite } of results.filter(hasPassed)) if (stamps[suite]) notePassed(stamps[suite]);
  const sum = printSummary(results);
  process.stdout.write(`the whole run took ${seconds(startedMs)}\n`);
  return hasPassed(sum) ? 0 : 1;
});

function printUsage(name) {
  const changed = commands[name].inputs
    ? `
${scripts[name]} -- --changed      those whose files have changed since they passed on this machine`
    : '';
  process.stdout.write(`Usage: ${scripts[name]}                  all suites
       ${scripts[name]} -- SUITE…        some of ${suitesOf(commands[name]).join(', ')}${changed}
One file: npx vitest run --project 'unit*' FILE
One test of the native core: native/build-test-plain/whiteline_core_tests --gtest_filter=NAME
docs/testing.md says what each command holds.
`);
  return 0;
}

async function endBy(signal) {
  await endSuites();
  process.kill(process.pid, signal);
}

async function runStage(lanes, environment) {
  const isBesideOthers = lanes.length > 1;
  const results = [];
  const runLane = async (names) => {
    for (const name of names) {
      process.stdout.write(`\n=== ${name} ===\n`);
      results.push(await runSuite(name, environment, { isBesideOthers }));
    }
  };
  await Promise.all(lanes.map(runLane));
  return results;
}
