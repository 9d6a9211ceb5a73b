import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { WhitelineCommand } from '../testing/command';
import { temporaryFolder } from '../testing/temporary-folder';
import { whitelineProgram } from './commands';
import { fleetProgram } from './fleet-commands';
import { nmosProgram } from './nmos-commands';

/** The built `whiteline` as a shell starts it: each command once, as far as its own code. Other tests run commands in their process. */
const home = temporaryFolder();
const runs = join(home, 'Whiteline', 'runs');
const run = join(runs, 'a-run');
const other = join(home, 'another-run');
for (const folder of [run, other]) cpSync('test-content/runs/stream-load', folder, { recursive: true });

/** Nothing of this machine's settings counts, and no NDI is there. */
const environment = {
  ...{ HOME: home, XDG_CONFIG_HOME: '', WHITELINE_RUNS: '', WHITELINE_NDI_PATH: '/nonexistent' },
};

interface Row {
  /** Of the command, and what comes behind it. */
  words: [command: string, ...words: string[]];
  exitCode: number;
  output?: RegExp;
  errors?: RegExp;
}

const movie = 'test-content/bars-640x360-30-hap.mov';
const { pass, badInput, environment: missing } = exitCodes;
const table: Row[] = [
  { words: ['run', 'preflight', '--print-plan'], exitCode: pass, output: /^ +- experiment: preflight$/m },
  { words: ['list'], exitCode: pass, output: /^stream-load +not ready +Stream load$/m },
  { words: ['sources', '--duration', '0'], exitCode: badInput, errors: /for --duration but received 0\./ },
  { words: ['doctor'], exitCode: missing, output: /^problem +NDI runtime: No NDI runtime was found/m },
  { words: ['selftest', '--duration', '1s'], exitCode: badInput, errors: /for --duration but received 1s$/m },
  { words: ['send', '--streams', '0'], exitCode: badInput, errors: /for --streams but received 0$/m },
  { words: ['watch', 'x', '--duration', '0'], exitCode: badInput, errors: /for --duration but received 0\./ },
  { words: ['serve', '--port', '70000'], exitCode: badInput, errors: /for --port but received 70000$/m },
  { words: ['report', run], exitCode: pass, output: /^Written: .+report\.html$/m },
  // In the folder of runs that the settings name, as in a home without any.
  { words: ['runs'], exitCode: pass, output: / a-run\n/ },
  { words: ['compare', run, other], exitCode: pass, output: /^B against A: 0 figures better, 0 worse\.$/m },
  { words: ['note', run], exitCode: badInput, errors: /Expected a text, --picture, --switch or --title/ },
  { words: ['baseline'], exitCode: pass, output: /^No run is pinned\.$/m },
  { words: ['content make', '--clips', 'snow'], exitCode: badInput, errors: /for --clips but received snow/ },
  { words: ['content inspect', movie], exitCode: pass, output: /^ +variant +Hap \(Hap1\)$/m },
  { words: ['content verify', movie], exitCode: pass, output: /frames, none is damaged$/m },
  { words: ['nmos registry', '--port', 'x'], exitCode: badInput, errors: /for --port but received x$/m },
  { words: ['nmos node', '--port', 'x'], exitCode: badInput, errors: /for --port but received x$/m },
  {
    words: ['nmos load', '--registry', 'http://127.0.0.1:1', '--nodes', '0'],
    ...{ exitCode: badInput, errors: /for --nodes but received 0$/m },
  },
  {
    words: ['nmos doctor', '--duration', '0s'],
    exitCode: badInput,
    errors: /for --duration but received 0s$/m,
  },
  { words: ['agent', 'x'], exitCode: badInput, errors: /The join file x is not there\. Give/ },
  { words: ['fleet start', '--listen', 'x'], exitCode: badInput, errors: /for --listen but received x\./ },
  { words: ['fleet invite', 'render 1'], exitCode: badInput, errors: /for NAME but received render 1\./ },
  { words: ['fleet list'], exitCode: badInput, errors: /No fleet is set up in .+fleet\. Start one first/ },
  {
    words: ['fleet matrix'],
    exitCode: badInput,
    errors: /^whiteline: No fleet is set up on this machine\. Start it/,
  },
  { words: ['fleet stop'], exitCode: pass, output: /^No fleet of .+fleet is running$/m },
];

test.concurrent.each(table)('whiteline $words', async ({ words: [command, ...words], ...expected }) => {
  const ended = await new WhitelineCommand([...command.split(' '), ...words], environment).ended;
  const { exitCode, output = /^$/, errors = /^(Decoded \d+ of \d+ frames, \d+ %\n)*$/ } = expected;
  expect(ended).toEqual({
    ...{ exitCode, output: expect.stringMatching(output), errors: expect.stringMatching(errors) },
  });
});

test('each command has a row', () => {
  // The program names these for its help alone.
  const groups = ['nmos', 'fleet'];
  const commands = [whitelineProgram(null), nmosProgram(), fleetProgram()]
    .flatMap(namesIn)
    .filter((name) => !groups.includes(name));
  // Both bundles have the help of one that measures.
  expect(table.map(({ words: [command] }) => command).sort()).toEqual([...new Set(commands)].sort());
});

/** Of the commands that do something: they take arguments, or have none below them. */
function namesIn(program: Command): string[] {
  return program.commands.flatMap((command) =>
    command.commands.length === 0 || command.registeredArguments.length > 0
      ? [command.name()]
      : namesIn(command).map((name) => `${command.name()} ${name}`),
  );
}
