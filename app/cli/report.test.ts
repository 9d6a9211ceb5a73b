import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { WhitelineCommand } from '../testing/command';
import { CommandHere, whiteline } from '../testing/command-here';
import { exampleRow } from '../testing/example-run';
import { loadSample } from '../testing/load-sample';
import { recorderIn } from '../testing/recorder';
import { temporaryFolder } from '../testing/temporary-folder';
import { parseXml } from '../testing/xml';

const root = temporaryFolder();
const session = resolve('test-content/runs/session');

function recordedRun(): string {
  const folder = join(mkdtempSync(join(root, 'report-')), 'run');
  const { recorder } = recorderIn(folder);
  for (let second = 0; second < 5; second++) recorder.sample(loadSample({ wallMs: 1.7e12 + second * 1000 }));
  for (const index of [0, 1]) recorder.row(exampleRow(index));
  recorder.end('finished', 'PASS', '1 stream ran without loss');
  return folder;
}

/** Without a display, however the tests are run; a temporary folder of its own shows what is left in it. */
function printing<Command>(
  folder: string,
  environment: NodeJS.ProcessEnv,
  As: new (words: string[], environment: NodeJS.ProcessEnv) => Command,
): { command: Command; scratch: string } {
  const scratch = mkdtempSync(join(tmpdir(), 'whiteline-test-'));
  const command = new As(['report', folder, '--pdf', join(folder, 'report.pdf')], {
    ...{ DISPLAY: '', WAYLAND_DISPLAY: '', TMPDIR: scratch },
    ...environment,
  });
  return { command, scratch };
}

test('without a flag the report is written into the run’s folder', async () => {
  const folder = recordedRun();
  const { exitCode, output } = await whiteline('report', folder);
  expect(exitCode).toBe(0);
  expect(output).toContain(join(folder, 'report.html'));
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('1 stream ran without loss');
});

test('a run of a plan is found by the name that the list prints, and by its own', async () => {
  const runs = join(root, 'runs');
  const name = 'hall-3/02-ramp-to-two-1';
  const { recorder } = recorderIn(join(runs, name));
  recorder.row(exampleRow());
  recorder.end('finished', 'PASS', 'carried');
  for (const reference of [name, '02-ramp-to-two-1']) {
    const { output, errors } = await whiteline('report', reference, '--runs', runs, '--force');
    expect({ output, errors }).toEqual({
      output: `Written: ${join(runs, name, 'report.html')}\n`,
      errors: '',
    });
  }
});

test('each kind goes to the file that was asked for', async () => {
  const folder = recordedRun();
  const file = (name: string) => join(folder, name);
  const { exitCode, errors } = await whiteline(
    ...['report', folder, '--json', file('a.json'), '--csv', file('a.csv')],
    ...['--junit', file('a.xml'), '--parquet', file('tables')],
  );
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  expect(JSON.parse(readFileSync(file('a.json'), 'utf8')).rows).toHaveLength(2);
  expect(readFileSync(file('a.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(3);
  expect(parseXml(readFileSync(file('a.xml'), 'utf8')).children[0]?.attributes.tests).toBe('2');
  expect(existsSync(file('tables/rows.parquet'))).toBe(true);
  expect(existsSync(file('report.html'))).toBe(false);
});

test('PDF: printed by the real Electron without a display, and nothing is left behind', {
  timeout: 60_000,
}, async () => {
  const folder = recordedRun();
  const { command, scratch } = printing(folder, {}, WhitelineCommand);
  const { exitCode, errors } = await command.ended;
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  const pdf = readFileSync(join(folder, 'report.pdf'), 'latin1');
  expect(pdf.startsWith('%PDF-')).toBe(true);
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(3);
  await command.leavesNothingBehind();
  expect(readdirSync(scratch).filter((name) => name.startsWith('whiteline-'))).toEqual([]);
  rmSync(scratch, { recursive: true });
});

test.each([
  [
    'an Electron that is not there',
    { WHITELINE_ELECTRON: '/nowhere/electron' },
    /\/nowhere\/electron.*does not exist.*--html/,
  ],
  ['no virtual display', { PATH: '/nowhere' }, /Xvfb.*not installed.*--html/],
])('PDF: %s is reported with what to do before anything starts', async (_, environment, reported) => {
  const folder = recordedRun();
  const { command, scratch } = printing(folder, environment, CommandHere);
  const { exitCode, errors } = await command.ended;
  expect(exitCode).toBe(3);
  expect(errors).toMatch(reported);
  expect(existsSync(join(folder, 'report.pdf'))).toBe(false);
  expect(readdirSync(scratch)).toEqual([]);
  rmSync(scratch, { recursive: true });
});

test.each([
  [
    'an Electron that fails',
    { WHITELINE_ELECTRON: '/bin/false' },
    /did not print the report: it ended with 1.*--html/,
  ],
  [
    'an Electron that writes nothing',
    { WHITELINE_ELECTRON: '/bin/true' },
    /did not print the report.*--html/,
  ],
])('PDF: %s is reported with what to do, and nothing is left behind', async (_, environment, reported) => {
  const folder = recordedRun();
  const { command, scratch } = printing(folder, environment, WhitelineCommand);
  const { exitCode, errors } = await command.ended;
  expect(exitCode).toBe(3);
  expect(errors).toMatch(reported);
  expect(existsSync(join(folder, 'report.pdf'))).toBe(false);
  await command.leavesNothingBehind();
  expect(readdirSync(scratch)).toEqual([]);
  rmSync(scratch, { recursive: true });
});

test('PDF: the command is killed while Electron prints, and nothing of it lives on', async () => {
  const folder = recordedRun();
  const sleeper = join(folder, 'electron');
  writeFileSync(sleeper, '#!/bin/sh\nexec sleep 100000\n', { mode: 0o755 });
  const { command, scratch } = printing(folder, { WHITELINE_ELECTRON: sleeper }, WhitelineCommand);
  await expect.poll(() => command.processes('sleep').length).toBeGreaterThan(0);
  command.signal('SIGKILL');
  await command.ended;
  await command.leavesNothingBehind();
  rmSync(scratch, { recursive: true });
});

test('a folder without a run, a file that cannot be written and a device are reported', async () => {
  const folder = recordedRun();
  const empty = mkdtempSync(join(root, 'empty-'));
  const none = await whiteline('report', empty);
  expect(none).toMatchObject({ exitCode: 2, errors: expect.stringMatching(/holds no run/) });
  const blocked = await whiteline('report', folder, '--csv', join(folder, 'rows.jsonl', 'x.csv'));
  expect(blocked).toMatchObject({ exitCode: 3, errors: expect.stringMatching(/cannot be written/) });
  const full = await whiteline('report', folder, '--html', '/dev/full');
  expect(full).toMatchObject({ exitCode: 2, errors: expect.stringMatching(/\/dev\/full is no file/) });
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
});

test('a file that is there is written over with --force alone', async () => {
  const folder = recordedRun();
  const file = join(folder, 'a.csv');
  writeFileSync(file, 'mine');
  const { exitCode, errors } = await whiteline('report', folder, '--csv', file);
  expect(errors).toBe(
    `whiteline: ${file} exists already. Choose another name, or give --force to write over it\n`,
  );
  expect(exitCode).toBe(exitCodes.badInput);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect((await whiteline('report', folder, '--csv', file, '--force')).exitCode).toBe(exitCodes.pass);
  expect(readFileSync(file, 'utf8')).toContain('verdict');
});

test('a session is reported by its folder or its name, into its folder or wherever it was asked for', async () => {
  const runs = mkdtempSync(join(root, 'runs-'));
  const folder = join(runs, 'hall-3');
  cpSync(session, folder, { recursive: true });
  const reported = await whiteline('report', 'hall-3', '--runs', runs);
  expect(reported).toEqual({ exitCode: 0, output: `Written: ${join(folder, 'report.html')}\n`, errors: '' });
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('A small plan');
  expect((await whiteline('report', folder)).errors).toMatch(/report\.html exists already/);
  const file = (name: string) => join(runs, name);
  const each = await whiteline(
    ...['report', folder, '--json', file('a.json'), '--csv', file('a.csv')],
    ...['--junit', file('a.xml'), '--parquet', file('tables'), '--html', file('a.html')],
  );
  expect(each).toMatchObject({ exitCode: 0, errors: '' });
  expect(JSON.parse(readFileSync(file('a.json'), 'utf8')).runs).toHaveLength(3);
  expect(parseXml(readFileSync(file('a.xml'), 'utf8')).children).toHaveLength(3);
  expect(existsSync(file('tables/rows.parquet'))).toBe(true);
});

test('chosen runs are one report; a run given twice, a session among them and a missing file are refused', async () => {
  const [one, other] = [recordedRun(), recordedRun()];
  const file = join(root, 'chosen.html');
  expect(await whiteline('report', one, other, '--html', file)).toMatchObject({ exitCode: 0, errors: '' });
  expect(readFileSync(file, 'utf8')).toContain('2 chosen runs');
  const refused = async (...words: string[]): Promise<string> => {
    const { exitCode, errors } = await whiteline('report', ...words);
    expect(exitCode).toBe(exitCodes.badInput);
    return errors;
  };
  expect(await refused(one, other)).toMatch(
    /Several runs have no common folder .+ Name a file, for example --html/,
  );
  expect(await refused(one, one, '--html', join(root, 'x.html'))).toMatch(/Expected each run once/);
  expect(await refused(one, session, '--html', join(root, 'x.html'))).toMatch(/one session alone/);
  expect(await refused(one, join(root, 'nowhere'), '--html', join(root, 'x.html'))).toMatch(
    /Expected the folder, name or id of a run/,
  );
  expect(existsSync(join(root, 'x.html'))).toBe(false);
});

test('a run of a session that is gone is named, and the rest is written', async () => {
  const folder = join(mkdtempSync(join(root, 'gone-')), 'session');
  cpSync(session, folder, { recursive: true });
  rmSync(join(folder, '01-link'), { recursive: true });
  const { exitCode, output, errors } = await whiteline('report', folder);
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: `Written: ${join(folder, 'report.html')}\n` });
  expect(errors).toMatch(/^whiteline: .+01-link is not in the report: .+ holds no run\n$/);
});
