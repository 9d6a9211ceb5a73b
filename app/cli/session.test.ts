import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readRun } from '../engine/sessions/read-run';
import { readSession, sessionFiles } from '../engine/sessions/read-session';
import { exitCodes } from '../protocol/errors';
import { WhitelineCommand } from '../testing/command';
import { whiteline } from '../testing/command-here';
import { withoutStatus } from '../testing/status-lines';
import { temporaryFolder } from '../testing/temporary-folder';

const root = temporaryFolder();
const preflight = ['run', 'preflight', '--interface', 'lo', '--duration', '500ms'];

test('runs with the same --session are one session, which is reported as one', async () => {
  const folder = join(root, 'hall 3');
  for (let run = 1; run <= 2; run++) {
    const { output, errors } = await whiteline(...preflight, '--session', folder);
    expect(withoutStatus(errors)).toBe('');
    expect(output).toContain(`\nRun: ${join(folder, '2')}`);
    expect(output).toContain(`\nSession: ${folder}\n`);
  }
  const session = readSession(folder);
  expect(session).toMatchObject({ name: 'hall 3', state: 'finished', runs: [{}, {}] });
  expect(JSON.parse(readFileSync(join(folder, sessionFiles.session), 'utf8'))).toEqual(session);
  const runs = session.runs.map((run) => readRun(join(folder, run.folder)));
  expect(runs.map((run) => run.session)).toEqual(
    [1, 2].map((order) => ({ id: session.id, name: 'hall 3', order })),
  );
  expect((await whiteline('report', folder)).exitCode).toBe(exitCodes.pass);
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain(session.reason);
});

test('a run that is killed while it measures stays in its session', async () => {
  const folder = join(root, 'killed');
  const command = new WhitelineCommand([...preflight.slice(0, -1), '60s', '--session', folder]);
  const begun = () => readSession(folder).runs.map(({ experiment }) => experiment);
  await expect.poll(begun, { timeout: 60_000 }).toEqual(['preflight']);
  command.signal('SIGKILL');
  await command.ended;
  await command.leavesNothingBehind();
  const [run] = readSession(folder).runs;
  expect(run).toMatchObject({ experiment: 'preflight' });
  const { output } = await whiteline('report', folder, '--csv', join(root, 'killed.csv'));
  expect(output).toContain('Written');
});

test.each([
  ['--out beside it', [...preflight, '--out', join(root, 'out')], /no --out beside it/],
  ['a plan', ['run', 'plan.yaml'], /A plan makes a session of its own/],
  ['watch with --out', ['watch', 'nobody', '--out', join(root, 'out')], /no --out beside it/],
])('--session is refused with %s', async (_, words, why) => {
  const { exitCode, errors } = await whiteline(...words, '--session', join(root, 'refused'));
  expect(errors).toMatch(why);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(existsSync(join(root, 'refused'))).toBe(false);
});

test('the session of a plan takes no other run', async () => {
  const plan = resolve('test-content/runs/session');
  const { exitCode, errors } = await whiteline(...preflight, '--session', plan);
  expect(errors).toMatch(/Expected a folder of its own.+ for --session but received .+the session of a plan/);
  expect(exitCode).toBe(exitCodes.badInput);
});
