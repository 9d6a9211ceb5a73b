import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { declarations } from '../experiments/declarations';
import { exitCodes } from '../protocol/errors';
import { whiteline } from '../testing/command-here';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const pathFor = outputPaths(folder);

/** The last line of standard output. */
function lastOf(output: string): unknown {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

test.each(
  [
    ...declarations.map(({ id }) => ['run', id, '--thresholds', 'none.yaml']),
    ['run', 'none.yaml'],
    ['watch', 'x', '--duration', 'soon'],
    ['watch', 'x', '--max-duplicates', 'soon'],
    ['watch', 'x', '--max-reordered', 'soon'],
    ['send', '--duration', 'soon'],
    ['run', 'stream-load', '--max-duplicates', 'soon'],
    ['run', 'stream-load', '--max-reordered', 'soon'],
  ].map((words) => ({ words })),
)('$words: what is refused ends with its exit code', async ({ words }) => {
  const { exitCode, output } = await whiteline(...words, '--json');
  expect(exitCode).toBe(exitCodes.badInput);
  const reason = expect.stringMatching(/none\.yaml|soon/);
  expect(lastOf(output)).toEqual({ type: 'end', verdict: null, reason, exitCode, folder: null });
});

test('an experiment ends with its verdict, its exit code and its folder', async () => {
  const out = pathFor('preflight');
  const words = ['run', 'preflight', '--interface', 'lo', '--duration', '500ms', '--out', out, '--json'];
  const { exitCode, output } = await whiteline(...words);
  expect(lastOf(output)).toMatchObject({ type: 'end', verdict: expect.any(String), exitCode, folder: out });
  expect(existsSync(out)).toBe(true);
});

test('a plan ends with the worst verdict, its exit code and the folder of its session', async () => {
  const plan = pathFor('plan.yaml');
  const entry = '{ experiment: preflight, parameters: { interface: lo, durationSeconds: 0.5 } }';
  writeFileSync(plan, `name: Two\nexperiments: [${entry}, ${entry}]\n`);
  const out = pathFor('session');
  const { exitCode, output } = await whiteline('run', plan, '--out', out, '--json');
  expect(lastOf(output)).toMatchObject({ type: 'end', verdict: expect.any(String), exitCode, folder: out });
});
