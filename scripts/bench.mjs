import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { printFigures } from './bench/figures.mjs';
import { buildNative, nativeBuildFolder } from './native-build.mjs';
import { setUp } from './setup/index.mjs';
import { rootFolder } from './setup/platform.mjs';
import { note, runMain, SetupError, seconds, step } from './setup/report.mjs';

const benchFolders = ['native/bench', 'scripts/bench'];
const benchEnding = '.bench.mjs';

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ json: { type: 'string' }, pairs: { type: 'string' }, previews: { type: 'boolean' } },
      ...{ size: { type: 'string' }, streams: { type: 'string' }, seconds: { type: 'string' } },
    },
  });
  const jsonFile = path.resolve(values.json ?? path.join(rootFolder, 'test-results/bench.json'));
  const options = {
    pairs: countOf('pairs', values.pairs),
    streams: countOf('streams', values.streams),
    seconds: countOf('seconds', values.seconds),
    size: sizeOf(values.size),
    previews: values.previews,
  };
  await setUp(['bench']);
  const benches = chosenBenches(await allBenches(), positionals[0]);
  await step('bench', 'building the benchmarks', (onProgress) => buildNative('bench', onProgress));
  const results = [];
  for (const bench of benches) results.push(...(await runBench(bench, options)));
  printFigures(results);
  mkdirSync(path.dirname(jsonFile), { recursive: true });
  writeFileSync(jsonFile, `${JSON.stringify(results, null, 2)}\n`);
  note('bench', `written to ${jsonFile}`);
});

/** Undefined: what each area takes by itself. */
function countOf(option, text) {
  if (text === undefined || /^[1-9]\d?$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new SetupError(
    `Expected 1 to 99 for --${option} but received ${text}.`,
    `npm run bench -- AREA --${option} 3`,
  );
}

function sizeOf(text) {
  if (text === undefined || /^\d{2,4}x\d{2,4}$/.test(text)) return text;
  throw new SetupError(
    `Expected WIDTHxHEIGHT for --size but received ${text}.`,
    'npm run bench -- pipeline --size 640x360',
  );
}

async function allBenches() {
  const files = benchFolders
    .map((folder) => path.join(rootFolder, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
    .filter((file) => file.endsWith(benchEnding));
  return Promise.all(
    files.map(async (file) => {
      const { area, run } = await import(pathToFileURL(file).href);
      return { name: path.basename(file, benchEnding), area, run };
    }),
  );
}

/** @param wanted an area, or one file of it; undefined: all */
function chosenBenches(benches, wanted) {
  const chosen = benches.filter(({ name, area }) => [undefined, area, name].includes(wanted));
  if (chosen.length > 0) return chosen;
  const known = [...new Set(benches.flatMap(({ name, area }) => [area, name]))].join(', ') || 'none';
  throw new SetupError(`Expected one of ${known} but received ${wanted ?? 'none'}.`, 'npm run bench -- AREA');
}

/** One area that fails leaves the others their figures: a benchmark is no test. */
async function runBench(bench, options) {
  const startedMs = Date.now();
  note('bench', `${bench.name} …`);
  try {
    return await bench.run({ buildFolder: nativeBuildFolder('bench'), ...options });
  } catch (error) {
    note('bench', `${bench.name} could not be measured: ${error.message}`);
    return [];
  } finally {
    note('bench', `${bench.name} took ${seconds(startedMs)}`);
  }
}
