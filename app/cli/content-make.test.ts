import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { WhitelineCommand } from '../testing/command';
import { CommandHere, whiteline } from '../testing/command-here';
import { temporaryFolder } from '../testing/temporary-folder';

/** Against hanging. */
const patient = { timeout: 60_000 };

const folder = temporaryFolder();
const make = (name: string, ...flags: string[]) =>
  whiteline('content', 'make', '--content-folder', join(folder, name), ...flags);
const small = ['--size', '640x360', '--rate', '30', '--clip-length', '500ms'];

test('clips are made, decoded, and kept the second time', async () => {
  const flags = [
    '--size',
    '640x360',
    '--rate',
    '30',
    '--clip-length',
    '2',
    '--clips',
    'flares,text-crawl',
    '--json',
  ];
  const first = await make('made', ...flags);
  expect(first.errors).toMatch(/flares \(1 of 2\): made \d+ of 60 frames, \d+ %, \d+ s left/);
  expect(first.exitCode).toBe(exitCodes.pass);
  const clips = first.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(clips).toMatchObject([
    { clip: 'flares', kept: false, fourCC: 'HapY', width: 640, height: 360, frames: 60, chunksMax: 8 },
    { clip: 'text-crawl', kept: false, fourCC: 'HapY', rateNumerator: 30, frames: 60 },
  ]);
  const files = readdirSync(join(folder, 'made'));
  expect(files).toEqual(['flares-640x360-30-2s-hap_q-8.mov', 'text-crawl-640x360-30-2s-hap_q-8.mov']);
  const decoded = ['-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', '-count_frames'];
  for (const { path } of clips)
    expect(execFileSync('ffprobe', ['-v', 'error', ...decoded, path], { encoding: 'utf8' }).trim()).toBe(
      '60',
    );

  const second = await make('made', ...flags);
  expect(
    second.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kept),
  ).toEqual([true, true]);
});

test('variant and chunks are as asked for', async () => {
  const flags = [...small, '--clips', 'black', '--json', '--variant', 'hap_alpha', '--chunks', '3'];
  const { output } = await make('variant', ...flags);
  expect(JSON.parse(output)).toMatchObject({ fourCC: 'Hap5', chunksMin: 3, chunksMax: 3 });
});

test('Ctrl-C leaves no half of a clip and no process behind', async () => {
  const long = [
    '--size',
    '1920x1080',
    '--clip-length',
    '60',
    '--clips',
    'noise',
    '--content-folder',
    join(folder, 'stopped'),
  ];
  const command = new WhitelineCommand(['content', 'make', ...long]);
  await vi.waitFor(() => expect(readdirSync(join(folder, 'stopped'))).toHaveLength(1), patient);
  command.signal('SIGINT');
  const { exitCode, errors } = await command.ended;
  expect(errors).toMatch(/Stopped while noise was made/);
  expect(exitCode).toBe(exitCodes.aborted);
  expect(readdirSync(join(folder, 'stopped'))).toEqual([]);
  await command.leavesNothingBehind();
});

test('the death of ffmpeg is reported, and leaves nothing behind', async () => {
  const long = [
    '--size',
    '1920x1080',
    '--clip-length',
    '60',
    '--clips',
    'noise',
    '--content-folder',
    join(folder, 'killed'),
  ];
  const command = new WhitelineCommand(['content', 'make', ...long]);
  const [ffmpeg] = await vi.waitFor(() => {
    const found = command.processes('rawvideo');
    expect(found).toHaveLength(1);
    return found;
  }, patient);
  process.kill(ffmpeg as number, 'SIGKILL');
  const { exitCode, errors } = await command.ended;
  expect(errors).toMatch(/noise could not be made: .+signal 9/);
  expect(exitCode).toBe(exitCodes.environment);
  expect(readdirSync(join(folder, 'killed'))).toEqual([]);
});

test('without ffmpeg it says what to install', async () => {
  const empty = join(folder, 'no-tools');
  mkdirSync(empty);
  const command = new CommandHere(['content', 'make', ...small, '--content-folder', join(folder, 'none')], {
    PATH: empty,
  });
  const { exitCode, errors } = await command.ended;
  expect(errors).toMatch(/ffmpeg is not installed.+apt-get install ffmpeg/);
  expect(exitCode).toBe(exitCodes.environment);
});

test('a folder that is a file is refused', async () => {
  writeFileSync(join(folder, 'file'), '');
  const { exitCode, errors } = await make('file', ...small, '--clips', 'black');
  expect(errors).toMatch(/cannot be written .+ Choose a folder that you may write to/);
  expect(exitCode).toBe(exitCodes.environment);
});

test.each([
  ['--size', '642x362', /multiples of 4 for --size but received 642x362/],
  ['--size', 'large', /WIDTHxHEIGHT for --size but received large/],
  ['--rate', '0', /for --rate but received 0/],
  ['--clip-length', 'long', /a duration for --clip-length but received long/],
  ['--clip-length', '0', /at least two frames .+ for --clip-length but received 0/],
  ['--clips', 'snow', /names out of flares, noise, .+ for --clips but received snow/],
  ['--clips', '', /for --clips but received nothing/],
  ['--chunks', '65', /from 1 to 64 for --chunks but received 65/],
  ['--chunks', 'many', /a whole number from 0 to 999999999 for --chunks but received many/],
  ['--variant', 'hap_r', /one of hap, hap_alpha, hap_q for --variant but received hap_r/],
])('%s %s is refused', async (flag, value, sentence) => {
  const { exitCode, errors } = await make('refused', flag, value);
  expect(errors).toMatch(sentence);
  expect(errors.trim().split('\n')).toHaveLength(1);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(() => readdirSync(join(folder, 'refused'))).toThrow();
});
