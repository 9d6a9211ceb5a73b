import { mkdirSync } from 'node:fs';
import { chosenNames } from './chosen.mjs';
import { setUp } from './setup/index.mjs';
import { note, runMain, SetupError, seconds } from './setup/report.mjs';
import { hasPassed, resultFolder } from './test/counts.mjs';
import { hasPassedBefore, notePassed, stampOf } from './test/passed-before.mjs';
import { endSuites, runSuite } from './test/run-suite.mjs';
import { commands, stagesOf, suitesOf } from './test/suites.mjs';
import { printSummary, printTimes } from './test/summary.mjs';
import { passWords } from './test/words.mjs';

const scripts = { test: 'npm test', machine: 'npm run test:machine', deep: 'npm run test:deep' };

await runMain(async () => {
  const startedMs = Date.now();
  const [words, forRunner] = cutAt('--', process.argv.slice(2));
  const name = words[0] in scripts ? words.shift() : 'test';
  const command = commands[name];
  const onlyChanged = command.inputs !== undefined && words.includes('--changed');
  const asked = words.filter((word) => !(onlyChanged && word === '--changed'));
  if (asked.includes('--help') || asked.includes('-h')) return printUsage(name);
  const chosen = chosenNames(asked, suitesOf(command), 'suite', `${scripts[name]} -- --help`);
  if (forRunner.length > 0 && asked.length !== 1) throw wordsOfNoSuite(name, forRunner);
  passWords(forRunner);
  // The stamp of `windows` has its compiler and its Wine, 1.4 GB that no other suite needs.
  const purposes = [...(name === 'deep' ? ['deep'] : []), ...chosen.filter((suite) => suite === 'windows')];
  const environment = await setUp(['console', 'test', 'package', ...purposes]);
  // A part of a suite proves nothing about the whole.
  const stamps =
    command.inputs && forRunner.length === 0
      ? Object.fromEntries(chosen.map((suite) => [suite, stampOf(suite, command.inputs[suite])]))
      : {};
  const changed = onlyChanged ? chosen.filter((suite) => !hasPassedBefore(stamps[suite])) : chosen;
  for (const suite of chosen.filter((one) => !changed.includes(one)))
    note('test', `${suite} passed before on this machine, and nothing that it depends on has changed`);
  if (changed.length === 0) return 0;
  mkdirSync(resultFolder, { recursive: true });
  const run = { environment, results: [], isEnding: false };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => endBy(signal, run));
  for (const lanes of stagesOf(command, changed)) await runStage(lanes, run);
  const { results } = run;
  for (const { name: suite } of results.filter(hasPassed)) if (stamps[suite]) notePassed(stamps[suite]);
  const sum = printSummary(results);
  process.stdout.write(`the whole run took ${seconds(startedMs)}\n`);
  return hasPassed(sum) ? 0 : 1;
});

function printUsage(name) {
  const command = commands[name];
  const changed = command.inputs
    ? `
${scripts[name]} -- --changed      those whose files have changed since they passed on this machine`
    : '';
  process.stdout.write(`Usage: ${scripts[name]}                  all suites
       ${scripts[name]} -- SUITE…        some of ${suitesOf(command).join(', ')}${changed}
       ${scripts[name]} -- SUITE -- WORD…   the words are for the suite's runner (Vitest, Playwright, GoogleTest):
           npm test -- unit -- FILE -t 'part of a name'
           npm test -- e2e -- closing.spec -g 'part of a name'
           npm test -- core -- --gtest_filter=NAME
docs/testing.md says what each command holds, and which suite a file is of.
`);
  return 0;
}

/** What stands before and after a word; nothing after one that is not there. */
function cutAt(word, all) {
  const at = all.includes(word) ? all.indexOf(word) : all.length;
  return [all.slice(0, at), all.slice(at + 1)];
}

function wordsOfNoSuite(name, words) {
  return new SetupError(
    `Expected one suite before "-- ${words.join(' ')}".`,
    `${scripts[name]} -- unit -- FILE`,
  );
}

/** What was running proves nothing about the code; what ended before does. */
async function endBy(signal, run) {
  run.isEnding = true;
  const ended = [...run.results];
  await endSuites();
  printSummary(ended);
  process.stdout.write(`${signal} ended the run: the other suites did not run to their end\n`);
  process.kill(process.pid, signal);
}

async function runStage(lanes, run) {
  const isBesideOthers = lanes.length > 1;
  const runLane = async (names) => {
    for (const name of names) {
      if (run.isEnding) return;
      process.stdout.write(`\n=== ${name} ===\n`);
      const result = await runSuite(name, run.environment, { isBesideOthers });
      printTimes(result);
      run.results.push(result);
    }
  };
  await Promise.all(lanes.map(runLane));
}
