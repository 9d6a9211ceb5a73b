import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';
import { note } from '../setup/report.mjs';
import { buildHelpers } from './core.mjs';
import { runVitest } from './vitest.mjs';

const testsFolder = 'app';

/** The random tests of `npm test`, with another seed and many more cases. */
export async function runWithAnotherSeed() {
  chooseSeed('seeds');
  await buildHelpers();
  const files = readdirSync(path.join(rootFolder, testsFolder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.attack.test.ts'))
    .map((name) => path.join(testsFolder, name))
    .filter(isRandom);
  return runVitest('*', '!machine', files);
}

/** Chooses the seed of all random tests that start from here on (app/testing/random.ts), unless the user has chosen it. */
export function chooseSeed(suite) {
  process.env.WHITELINE_SEED ??= String(Date.now() % 2 ** 31);
  const { WHITELINE_SEED: seed } = process.env;
  note(suite, `seed ${seed}; WHITELINE_SEED=${seed} repeats it`);
}

function isRandom(file) {
  return /\b(seeds|cases)\b.*testing\/random'|fuzz\/fuzz'|'\.\/fuzz'/.test(
    readFileSync(path.join(rootFolder, file), 'utf8'),
  );
}
