import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sessionFiles } from '../engine/sessions/read-session';
import { exitCodes } from '../protocol/errors';
import { CommandHere, whiteline } from '../testing/command-here';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

/** What is wrong with a plan is said before anything of it runs. */
const folder = temporaryFolder();
const out = outputPaths(folder);
const small = ['- experiment: preflight'];

function planFile(name: string, ...lines: string[]): string {
  const path = out(`${name}.yaml`);
  writeFileSync(path, `name: ${name}\nexperiments:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  return path;
}

function inSecond(line: string): string[] {
  return [...small, '- experiment: stream-load', '  parameters:', `    ${line}`];
}

test.each<[string, string[], RegExp]>([
  [
    'bad YAML',
    [...small, '- experiment: ['],
    /^whiteline: bad-yaml\.yaml:\d+:\d+: Expected YAML for the plan/,
  ],
  [
    'an unknown experiment',
    [...small, '- experiment: radar'],
    /^whiteline: .+\.yaml:4:5: Expected one of stream-load, .+ for experiment but received radar/,
  ],
  [
    'an unknown parameter',
    inSecond('holdSecond: 1'),
    /^whiteline: .+\.yaml:6:7: Expected a known parameter for parameters but received holdSecond\. Did you mean holdSeconds\?/,
  ],
  [
    'a wrong type',
    inSecond('maxStreams: many'),
    /^whiteline: .+\.yaml:6:7: Expected a whole number from 1 to 64 for maxStreams but received many\. maxStreams: /,
  ],
  [
    'a movie that is missing',
    inSecond('source: none.mov'),
    /^whiteline: .+\.yaml:6:7: .*none\.mov does not exist/,
  ],
])('%s', async (what, lines, sentence) => {
  const name = what.toLowerCase().replace(/[^a-z]+/g, '-');
  const { exitCode, output, errors } = await whiteline('run', planFile(name, ...lines), '--out', out(name));
  expect(errors).toMatch(sentence);
  expect(errors.trim().split('\n')).toHaveLength(1);
  expect(output).toBe('');
  expect(exitCode).toBe(exitCodes.badInput);
  expect(existsSync(out(name))).toBe(false);
});

test('all that is wrong is said at once: of the plan, of its parameters, and of this machine', async () => {
  const lines = [
    ...['- experiment: radar', '- experiment: stream-load', '  parameters: { source: none.mov }'],
    ...['- experiment: stream-load', '  parameters: { holdSeconds: long }'],
    ...['- experiment: link', '  parameters: { durationSeconds: 3 }'],
  ];
  const { exitCode, errors } = await whiteline('run', planFile('all', ...lines), '--thresholds', 'study');
  expect(exitCode).toBe(exitCodes.badInput);
  const said = errors.trim().split('\n');
  expect(said).toHaveLength(4);
  expect(said[0]).toMatch(/all\.yaml:3:5: Expected one of stream-load/);
  expect(said[1]).toMatch(/all\.yaml:5:19: .*none\.mov does not exist/);
  expect(said[2]).toMatch(/all\.yaml:7:19: Expected a number .+ for holdSeconds but received long/);
  expect(said[3]).toMatch(/all\.yaml:9:19: .+ but received durationSeconds\. Did you mean holdSeconds\?$/);
});

test.each<[string[], RegExp]>([
  [
    ['absent.yaml'],
    /The plan absent\.yaml cannot be read \(ENOENT\)\. Give the path of a plan, or an experiment/,
  ],
  [
    ['radar', '--hold', '3s'],
    /Expected one of stream-load, .+ for experiment but received radar\. See whiteline list/,
  ],
  [['a.yaml', 'b.yaml'], /Expected nothing after the plan but flags for plans for run but received b\.yaml/],
  [
    ['a.yaml', '--hold', '5s'],
    /nothing after the plan .+ received --hold\. Write the parameters into the plan/,
  ],
  [
    ['stream-load', '--thresholds', 'mild'],
    /Expected one of study, flawless.+ for --thresholds but received mild/,
  ],
  [['a.yaml', '--report', 'r.html'], /Expected no file with a plan for --report but received r\.html/],
])('whiteline run %j', async (words, sentence) => {
  const { exitCode, errors } = await whiteline('run', ...words);
  expect(errors).toMatch(sentence);
  expect(exitCode).toBe(exitCodes.badInput);
});

test('an experiment whose tool is missing: exit code 3, its line and how to get it', async () => {
  const path = planFile('tool', ...small, '- experiment: storage');
  const command = new CommandHere(['run', path, '--out', out('tool')], { PATH: folder });
  const { exitCode, errors, output } = await command.ended;
  expect(errors).toMatch(/^whiteline: tool\.yaml:4:5: fio is not installed.+\. Install it/);
  expect(exitCode).toBe(exitCodes.environment);
  expect(output).toBe('');
  expect(existsSync(out('tool'))).toBe(false);
});

test('a folder that holds a session', async () => {
  writeFileSync(out(sessionFiles.lines), 'mine\n');
  const { exitCode, errors } = await whiteline('run', planFile('taken', ...small), '--out', folder);
  expect(errors).toMatch(/Expected a folder without a session in it for --out but received/);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(readdirSync(folder)).not.toContain('01-stream-load');
});
