import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundaryViolations } from './boundaries.mjs';
import { checkedId, makeExperiment } from './new/experiment.mjs';
import { run } from './setup/command.mjs';
import { rootFolder } from './setup/platform.mjs';
import { toolCommand } from './tools.mjs';

let copy;

/** What the TypeScript of the app is compiled with, and its tests are run with. */
const copied = [
  ...['app', 'native/addon', 'renderer', 'scripts', 'docs/experiments', 'package.json', 'test-content/runs'],
  ...['tsconfig.base.json', 'vitest.config.ts'],
];

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'whiteline-new-'));
  for (const name of copied) cpSync(path.join(rootFolder, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(rootFolder, 'node_modules'), path.join(copy, 'node_modules'));
});

afterAll(() => rmSync(copy, { recursive: true }));

async function expectPasses(tool, words) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const { status, lastLines } = await run(process.execPath, toolCommand(tool, words), { cwd: copy, env });
  expect(status, lastLines.join('\n')).toBe(0);
}

test.each([
  ['', /lower-case words .* for ID but received nothing/],
  ['Clock Drift', /lower-case words .* for ID but received Clock Drift/],
  ['../quiet', /lower-case words/],
  ['1abc', /lower-case words/],
  ['a'.repeat(41), /40 characters at most/],
  ['quiet', /an id that is free for ID but received quiet/],
  ['watch', /an id that is free/],
  ['declarations', /an id that is free/],
  ['stream-load-clean', /an id that is free/],
  ['class', /a word that the code of an experiment does not use/],
  ['interface', /a word that the code of an experiment does not use/],
  ['await', /a word that the code of an experiment does not use/],
  ['arguments', /a word that the code of an experiment does not use/],
  ['run', /a word that the code of an experiment does not use/],
])('%s is no id of a new experiment', (id, words) => {
  expect(() => checkedId(rootFolder, id)).toThrow(words);
});

test('a new experiment compiles, keeps the borders and passes its test', async () => {
  const { made, generated } = makeExperiment(copy, checkedId(copy, 'first-try'));
  const outside = made.filter((file) => !file.startsWith('app/experiments/first-try/'));
  expect(outside).toEqual(['docs/experiments/first-try.md']);
  expect(generated.sort()).toEqual(
    ['declarations', 'facts', 'runs'].map((name) => `app/experiments/${name}.ts`),
  );
  expect(boundaryViolations(copy)).toEqual([]);
  const include = ['app/experiments/runs.ts', 'app/experiments/first-try/*.ts'];
  const settings = { extends: './tsconfig.base.json', include };
  writeFileSync(path.join(copy, 'tsconfig.json'), JSON.stringify(settings));
  await expectPasses('tsc', ['--noEmit']);
  await expectPasses('vitest', ['run', '--project', 'unit', 'app/experiments/first-try/first-try.test.ts']);
});
