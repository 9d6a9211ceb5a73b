import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { WhitelineCommand } from '../testing/command';
import { whiteline } from '../testing/command-here';
import { changedRow, exampleRow } from '../testing/example-run';
import { readNamedRun } from '../testing/named-rows';
import { recorderIn } from '../testing/recorder';
import { Screen } from '../testing/screen';
import { temporaryFolder } from '../testing/temporary-folder';

const root = temporaryFolder();
/** Colours, rings, makes a line of its own, and turns what comes behind it. */
const hostile = '\u001b[31m\u0007\nPASS: \u009b2J\u202egnp\u2066';
const shown = '\\u001b[31m\\u0007\\u000aPASS: \\u009b2J\\u202egnp\\u2066';
const acting = /[\p{Cc}\p{Bidi_Control}]/gu;

function actingIn(text: string): string[] {
  return (text.match(acting) ?? []).filter((character) => character !== '\n');
}

test('no text of a run, its folder or its notes acts on the terminal, and JSON says it whole', async () => {
  const name = `run ${hostile.replace('\n', '')}`;
  const { recorder } = recorderIn(join(root, name));
  recorder.row(changedRow(exampleRow(0), { verdict: 'FAIL', reason: hostile, label: hostile }));
  recorder.annotate({ at: '2026-11-22T10:00:00.000Z', kind: 'renamed', text: hostile });
  await recorder.end('finished', 'FAIL', hostile);
  const listed = await whiteline('runs', '--runs', root);
  expect(actingIn(listed.output)).toEqual([]);
  expect(listed.output).toContain(shown);
  expect(listed.output.trimEnd().split('\n')).toHaveLength(3);
  const json = await whiteline('runs', '--runs', root, '--json');
  expect(actingIn(json.output)).toEqual([]);
  expect(JSON.parse(json.output)).toMatchObject({ folder: name, reason: hostile });
  const folder = join(root, name);
  const copy = join(temporaryFolder(), name);
  cpSync(folder, copy, { recursive: true });
  const others = [
    ['compare', folder, copy],
    ['note', folder, 'text', '--runs', root],
    ['report', folder, '--csv', join(root, `a${hostile}.csv`)],
    ['report', join(root, `none${hostile}`)],
    ['runs', '--runs', root, '--state', hostile],
    [`dance${hostile}`],
  ];
  const ended = await Promise.all(others.map((words) => whiteline(...words)));
  for (const [index, { output, errors }] of ended.entries()) {
    expect(output + errors).not.toBe('');
    expect(actingIn(output + errors), others[index]?.[0]).toEqual([]);
    expect(output + errors).not.toMatch(/^PASS/m);
  }
});

test('no text of a plan acts on the terminal, and each problem is one line', async () => {
  const text = JSON.stringify(hostile);
  const plan = join(root, 'plan.yaml');
  writeFileSync(
    plan,
    `name: x\nexperiments:\n  - experiment: ${text}\n  - experiment: preflight\n    ${text}: 1\n`,
  );
  const { errors, exitCode } = await whiteline('run', plan);
  expect(actingIn(errors)).toEqual([]);
  expect(errors.trimEnd().split('\n')).toHaveLength(2);
  expect(errors).toContain(shown);
  expect(exitCode).toBe(exitCodes.badInput);
});

test('a path of a file that is not there is shown as one line', async () => {
  const folder = join(root, 'empty');
  mkdirSync(folder);
  const { errors } = await whiteline('content', 'inspect', join(folder, hostile));
  expect(actingIn(errors)).toEqual([]);
  expect(errors).not.toMatch(/^PASS/m);
});

test.each([[['--json']], [[]]])('readers of both outputs that go away end no run %j', async (flags) => {
  const folder = join(root, `abandoned-${flags.length}`);
  const words = ['run', 'preflight', '--duration', '1s', '--out', folder, ...flags];
  const command = new WhitelineCommand(words);
  command.abandon();
  await command.ended;
  expect(readNamedRun(folder).state).toBe('finished');
});

/** Before a command whose words have no spaces: a terminal of so many columns of its own. */
const inTerminal = (columns: number): string[] => [
  ...['sh', '-c', `exec script -qefc "stty cols ${columns}; exec $*" /dev/null`, 'sh'],
];

test('a run says in a terminal how far it is, and leaves nothing of that behind', async () => {
  const columns = 60;
  const words = ['run', 'preflight', '--duration', '1s', '--out', join(root, 'shown')];
  const command = new WhitelineCommand(words, { TERM: 'xterm' }, inTerminal(columns));
  const { output } = await command.ended;
  expect(output).toMatch(/\r\d+ of \d+ · Measuring/);
  const screen = new Screen(columns);
  screen.write(output);
  expect(screen.shown.join('\n')).toContain('Run: ');
  expect(screen.shown.filter((line) => line.includes(' · '))).toEqual([]);
});

test('with --json a terminal shows nothing of how far a run is', async () => {
  const words = ['run', 'preflight', '--duration', '1s', '--out', join(root, 'json'), '--json'];
  const { output } = await new WhitelineCommand(words, { TERM: 'xterm' }, inTerminal(80)).ended;
  expect(output).toContain('Run: ');
  expect(output).not.toContain(' · ');
});

test('all that the command writes goes through one place', () => {
  const sources = readdirSync(__dirname).filter(
    (name) => /(?<!\.test)\.ts$/.test(name) && name !== 'terminal.ts',
  );
  expect(sources.length).toBeGreaterThan(20);
  for (const name of sources)
    expect(readFileSync(join(__dirname, name), 'utf8'), name).not.toMatch(/\.write\(|console\.\w+\(/);
});
