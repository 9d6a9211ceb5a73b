import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { uniqueName, WhitelineCommand } from '../testing/command';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

/** Whatever an operator kills of what he started, nothing goes on. */

const pathFor = outputPaths(temporaryFolder());
const module = pathToFileURL(resolve('scripts/exit-status.mjs')).href;
const launch = `const { exitStatusOf } = await import('${module}');
process.exitCode = await exitStatusOf(process.argv[1], process.argv.slice(2));`;
/** As `npm run whiteline`, and as `npm start` starts the console. */
const launcher = [process.execPath, '--input-type=module', '-e', launch];
/** As npm does it: a shell between, which stays. */
const npm = [
  ...[process.execPath, '-e'],
  `require('node:child_process').spawn('sh', ['-c', '"$@"; true', 'sh', ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, npm_lifecycle_event: 'whiteline' },
  })`,
  ...launcher,
];

const stream = ['--format', '320x180@30', '--no-audio'];
const started: [what: string, words: string[], hosts: number][] = [
  ['send', ['send', ...stream, '--name', uniqueName(), '--out', pathFor('sent')], 1],
  ['watch', ['watch', uniqueName(), '--out', pathFor('watched')], 1],
  ['a run', ['run', 'stream-load', ...stream, '--name', uniqueName(), '--out', pathFor('run')], 2],
  ['serve', ['serve', '--runs', pathFor('runs')], 1],
];

test.each(started)('%s ends when its launcher is killed', async (_, words, hosts) => {
  const command = new WhitelineCommand(words, {}, launcher);
  await command.hasStarted('streamhost.cjs', hosts);
  command.signal('SIGKILL');
  await command.leavesNothingBehind();
});

test('send ends when npm is killed', async () => {
  const command = new WhitelineCommand(['send', ...stream, '--name', uniqueName()], {}, npm);
  await command.hasStarted('streamhost.cjs', 1);
  command.signal('SIGKILL');
  await command.leavesNothingBehind();
});

test('a registry ends when its launcher is killed', async () => {
  const command = new WhitelineCommand(['nmos', 'registry', '--port', '0', '--no-announce'], {}, launcher);
  await command.says(/Ctrl-C ends it/);
  command.signal('SIGKILL');
  await command.leavesNothingBehind();
});

test('a command whose launcher lives goes on to its end, and gives its exit code', async () => {
  const { exitCode, output } = await new WhitelineCommand(
    ['baseline', '--runs', pathFor('none')],
    {},
    launcher,
  ).ended;
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'No run is pinned.\n' });
});
