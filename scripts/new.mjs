import path from 'node:path';
import process from 'node:process';
import { experimentIds } from './experiments.mjs';
import { recordExample } from './new/example.mjs';
import { checkedId, makeExperiment } from './new/experiment.mjs';
import { run } from './setup/command.mjs';
import { rootFolder } from './setup/platform.mjs';
import { note, runMain, SetupError, step } from './setup/report.mjs';
import { runTool } from './tools.mjs';

const usage = 'npm run new -- experiment ID, or npm run new -- example ID FLAGS';

/** Tests whose snapshots follow from declarations and metrics of experiments. */
const followers = ['app/experiments/every-experiment.test.ts', 'app/protocol/json-schema.test.ts'];

await runMain(async () => {
  const [what, ...words] = process.argv.slice(2);
  const [id, ...flags] = words;
  // An id is one word.
  if (what === 'experiment') await newExperiment(checkedId(rootFolder, words.join(' ')));
  else if (what === 'example') await newExample(knownId(id), flags);
  else throw new SetupError(`Expected experiment or example but received ${what ?? 'nothing'}.`, usage);
});

async function newExperiment(id) {
  const { made, generated } = makeExperiment(rootFolder, id);
  await passed('biome', ['check', '--write', ...made.filter((file) => /\.(ts|json)$/.test(file))]);
  await newExample(id, []);
  await step('new', 'writing what follows from it', () =>
    passed('vitest', ['run', '--project', 'unit', ...followers, '-u']),
  );
  for (const file of made) note('new', file);
  note('new', `generated: ${generated.join(', ')}; docs/schema, test-content/{runs,readings}/${id}`);
  note('new', `next: change what it measures; npm run format; npm run new -- example ${id};`);
  note('new', `then npx vitest run --project unit app/experiments ${followers.at(-1)} -u`);
}

/** A run of the built app, whose rows are read by the tests that show every experiment. */
async function newExample(id, flags) {
  await step('new', 'building', () => passedBy(process.execPath, ['scripts/build.mjs']));
  const { verdict, unusual } = await step('new', `recording a run of ${id}`, () => recordExample(id, flags));
  for (const file of unusual) note('new', `the run has ${file} beside what every run has: is it to be kept?`);
  if (verdict === 'INVALID')
    note(
      'new',
      `the run is INVALID: record it again when the machine is quiet, by npm run new -- example ${id}`,
    );
}

function knownId(id) {
  const known = experimentIds(path.join(rootFolder, 'app/experiments'));
  if (known.includes(id)) return id;
  throw new SetupError(`Expected one of ${known.join(', ')} for ID but received ${id ?? 'nothing'}.`, usage);
}

async function passed(tool, words) {
  const { status, lastLines } = await runTool(tool, words, {});
  if (status !== 0) throw failed([tool, ...words], lastLines);
}

async function passedBy(program, words) {
  const { status, lastLines } = await run(program, words);
  if (status !== 0) throw failed(words, lastLines);
}

function failed(words, lastLines) {
  return new SetupError(
    `${words.join(' ')} failed:\n${lastLines.join('\n')}`,
    'correct what these lines name',
  );
}
