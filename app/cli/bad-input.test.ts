import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { faultVerbs } from '../protocol/records';
import { whiteline } from '../testing/command-here';
import { makeMovie } from '../testing/movies';
import { temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const inFolder = (name: string): string => join(folder, name);

beforeAll(() => {
  makeMovie(inFolder('end.mov'));
  makeMovie(inFolder('front.mov'), { faststart: true });
  makeMovie(inFolder('small.mov'), { size: '160x120' });
  makeMovie(inFolder('sound.wav'), { codec: ['-vn', '-f', 'lavfi', '-i', 'sine=duration=1', '-map', '1:a'] });
  makeMovie(inFolder('film.mov'), { codec: ['-c:v', 'mjpeg'], faststart: true });
  for (const name of ['end.mov', 'front.mov', 'film.mov']) {
    const whole = readFileSync(inFolder(name));
    writeFileSync(inFolder(name.replace('.', '-cut.')), whole.subarray(0, Math.floor(whole.length * 0.6)));
  }
  writeFileSync(inFolder('empty.mov'), '');
  writeFileSync(inFolder('text.mov'), 'This is not a movie.\n'.repeat(100));
});

/** Runs `whiteline run stream-load` with one bad value: nothing may be made, and standard error says it all. */
async function refused(flag: string, value: string) {
  const out = inFolder('run');
  const { exitCode, output, errors } = await whiteline('run', 'stream-load', flag, value, '--out', out);
  expect(output).toBe('');
  expect(existsSync(out)).toBe(false);
  return { exitCode, errors };
}

describe('a movie', () => {
  test.concurrent.each([
    ['that is missing', 'absent.mov', /does not exist or cannot be read\. Give the path of a movie/],
    ['that is empty', 'empty.mov', /the file is empty\. Choose a complete movie/],
    [
      'cut short, its index in front',
      'front-cut.mov',
      /frame 35 at byte .+ it is cut short.+\. Copy the movie/,
    ],
    [
      'cut short, its index at the end',
      'end-cut.mov',
      /box mdat at byte .+ it is cut short.+\. Copy the movie/,
    ],
    ['cut short, and not Hap', 'film-cut.mov', /cannot be played: .+\. Choose a complete movie/],
    ['that is a text', 'text.mov', /cannot be played: .+\. Choose a complete movie/],
    ['that is only sound', 'sound.wav', /it has no picture\. Choose a complete movie/],
    ['that is too small', 'small.mov', /Expected an even width .+ for --source but received .+160x120@30/],
    [
      'that is a folder',
      '',
      /Expected the path of a movie file for --source but received .+\. Give the movie/,
    ],
  ])('%s is refused', async (_, name, sentence) => {
    const path = inFolder(name);
    const { exitCode, errors } = await refused('--source', path);
    expect(errors).toMatch(sentence);
    expect(errors).toContain(path.replace(/\/$/, ''));
    expect(exitCode).toBe(exitCodes.badInput);
  });

  test('that is whole is not refused for its end', async () => {
    for (const name of ['end.mov', 'front.mov']) {
      const { exitCode, errors } = await whiteline(
        ...['run', 'stream-load', '--source', inFolder(name), '--out', join(inFolder('text.mov'), 'x')],
      );
      expect(errors).toMatch(/text\.mov\/x cannot be written/);
      expect(exitCode).toBe(exitCodes.environment);
    }
  });
});

test.concurrent.each([
  ['--format', '0x0@60', /for --format but received 0x0@60\. Use for example 1280x720@60/],
  ['--format', '641x360@30', /Expected an even width .+ for --format but received 641x360@30\. Use/],
  ['--format', '300x100@30', /for --format but received 300x100@30\. Use/],
  ['--format', '99999x99999@1', /for --format but received 99999x99999@1\. Use/],
  ['--format', '640x360@1/5', /from 0.5 to 1000.+ for --format but received 1\/5\. Use/],
  [
    '--format',
    '640x360@0',
    /Expected frames per second from 0.5 to 1000.+ for --format but received 0\. Use/,
  ],
  ['--format', '1280x720@60i', /for --format but received 60i\. Use for example 1280x720@60 or/],
  ['--rate', '59.9', /Expected frames per second from 0.5 to 1000.+ for --rate but received 59\.9\. Use/],
  [
    '--rate',
    '50',
    /no value with a generated source for --rate but received 50\. Set its rate with --format/,
  ],
  ['--start-frame', 'x', /Expected a whole number for --start-frame but received x/],
  [
    '--start-frame',
    '5',
    /no value with a generated source for --start-frame but received 5\. Only a Hap movie/,
  ],
  ['--scale', '1281x720', /for --scale but received 1281x720\. Use/],
  ['--scale', '1280x720', /no value with a generated source for --scale but received 1280x720\. Set/],
  ['--source', '', /Expected white-line, noise or the path of a movie for --source but received nothing/],
  ['--hold', 'long', /Expected a duration for --hold but received long\. Use/],
  ['--hold', '0s', /Expected a number from 1\.5 to 86400 s for --hold but received 0s\. /],
  [
    '--max-streams',
    '65',
    /Expected a whole number from 1 to 64 for --max-streams but received 65\. --max-streams: Largest/,
  ],
  ['--max-streams', 'x', /Expected a whole number for --max-streams but received x/],
  ['--pixel-format', 'rgb', /Expected one of uyvy, bgra for --pixel-format but received rgb\. /],
  ['--name', '', /Expected a text of 1 to 60 characters for --name but received nothing\. /],
  ['--inject', 'drop:5', /for --inject but received drop:5\. Use for example skip:100-104/],
  [
    '--inject',
    'skip:10; miss:11',
    /a clean frame between them for --inject .+\. Move miss:11 to 12 or later/,
  ],
  ['--mix', 'noise 0x0@60', /for --mix but received 0x0@60\. Use/],
  [
    '--mix',
    'noise 640x360',
    /a source, then its size and rate .+ for --mix but received noise 640x360\. Use for example/,
  ],
  [
    '--mix',
    'clip.mov 640x360',
    /a source, then its size and rate .+ for --mix but received clip\.mov 640x360\. Use/,
  ],
  ['--mix', 'absent.mov', /absent\.mov.+does not exist or cannot be read/],
  ['--stop-on', 'rain', /Expected .*one of sender-miss, fail, loss, cpu, invalid/],
  ['--inject', 'skip:3599-3600', /within the 3600 frames of the row .+\. Measure for longer/],
])('%s %s is refused with field, value and remedy', async (flag, value, sentence) => {
  const { exitCode, errors } = await refused(flag, value);
  expect(errors).toMatch(sentence);
  expect(errors.trim().split('\n')).toHaveLength(1);
  expect(exitCode).toBe(exitCodes.badInput);
});

test.concurrent.each([
  [
    ['run', 'speed-of-light', '--hold', '3'],
    /Expected one of stream-load, .+ for experiment but received speed/,
  ],
  [['run', '--thresholds', 'strict', 'stream-load'], /Expected one of study, .+ for --thresholds .+ strict/],
  [['run', 'stream-load', '--bogus'], /unknown option '--bogus'/],
  [['run', 'stream-load', 'twice'], /too many arguments/],
  [['run'], /missing required argument 'plan'/],
  [['dance'], /unknown command 'dance'/],
  [['x'.repeat(10_000)], /unknown command 'x{200}…'/],
  [
    ['run', 'link', '--max-streams', '4'],
    /Expected rates with ndi beside it for --max-streams but received 4/,
  ],
  [
    ['run', 'link', '--stream-mbps', '50'],
    /Expected rates with ndi beside it for --stream-mbps but received 50/,
  ],
  [['run', 'link', '--host', 'http://127.0.0.1'], /a host, and no URL or path, for --host/],
  [
    ['watch', '--from', '192.0.2.7', 'RACK (A)'],
    /Expected names of senders .+ write names before --from and --address/,
  ],
  [['watch', 'x', '--seconds', '5'], /unknown option '--seconds'\s+\(Did you mean --duration\?\)/],
  [['nmos', 'registry', '--host', '::1'], /unknown option '--host'\s+\(Did you mean --listen\?\)/],
  [['watch', 'x', '--duration', 'soon'], /Expected a duration for --duration but received soon\. Use/],
  [
    ['watch', 'x', '--from', 'a host'],
    /Expected the name or address of a host for --from but received a host\. Use/,
  ],
  [
    ['watch', 'x', '--address', '999.1.1.1:5961'],
    /an IPv4 address of four .+ for --address but received 999\.1/,
  ],
  [
    ['watch', 'x', '--address', 'render:99999'],
    /a port from 1 to 65535 .+ for --address but received render/,
  ],
  [['watch', 'x', '--thresholds', 'mild'], /one of study, .+ for --thresholds but received mild/],
  [
    ['watch', 'x', '--capture-logs'],
    /Expected a folder to write to for --capture-logs .+ Give one with --out/,
  ],
  [
    ['sources', '--from', '10.0.0.1;'],
    /Expected the name or address of a host for --from but received 10\.0\.0\.1;/,
  ],
  [['content', 'dance'], /unknown command 'dance'/],
  [['content', 'inspect'], /missing required argument 'file'/],
  [
    ['send', '--start-frame', '-1'],
    /Expected a whole number from 0 to 999999999 for --start-frame but received -1/,
  ],
  [['send', '--name', ''], /Expected 1 to 60 characters for --name but received nothing/],
  [['send', '--duration', '0'], /Expected a duration above 0 for --duration but received 0\. Use/],
  [['watch', ''], /Expected names of senders for names but received nothing\. whiteline sources/],
  [['watch', 'a', 'b', 'A'], /Expected each sender once for names but received A/],
  [['serve', '--port', '99999'], /Expected a whole number from 0 to 65535 for --port but received 99999/],
  [['send', '--reads', 'mapped'], /Expected cached or direct for --reads but received mapped/],
  [['send', '--streams', '0'], /Expected a whole number from 1 to 64 for --streams but received 0/],
  [['send', '--format', '300x100@30'], /for --format but received 300x100@30\. Use/],
  [['sources', '--duration', '0ms'], /Expected a duration above 0 for --duration but received 0ms\. Use/],
  [
    ['watch', 'x', '--address', 'whiteline.invalid:5961'],
    /a host that can be found .+ for --address but received whiteline\.invalid:5961\. Check the name/,
  ],
  [['sources', '--duration', 'x'], /Expected a duration for --duration but received x\. Use/],
  [['selftest', '--duration', '2s'], /Expected from 10s to 3600s for --duration but received 2s/],
  [['selftest', '--seed', 'x'], /Expected a whole number from 0 to 999999999 for --seed but received x/],
])('whiteline %j is refused', async (commandArguments, sentence) => {
  const { exitCode, errors } = await whiteline(...commandArguments);
  expect(errors).toMatch(sentence);
  expect(exitCode).toBe(exitCodes.badInput);
});

test.each([
  [
    ['stream-load', '--inject', 'skip:5', '--max-streams', '2', '--inject-from', '3'],
    /Expected no more than the maximum of 2 streams for --inject-from but received 3\. No stream/,
  ],
  [
    ['stream-load', '--goal', '8', '--max-streams', '4'],
    /for --goal but received 8\. The run could never pass: lower the goal, or raise --max-streams/,
  ],
  [
    ['stream-load', '--start', '5'],
    /Expected no more than the maximum of 4 streams for --start but received 5\. Start with fewer/,
  ],
  [
    ['stream-load', '--processes', 'each', '--sources', 'shared'],
    /for --sources but received shared\. A source lives in the process/,
  ],
  [
    ['stream-load', '--mix', 'noise', '--scale', '640x360'],
    /Expected no value with a mix for --scale but received 640x360\./,
  ],
  [['codec-quality', '--clips', 'snow'], /Expected names out of flares, .+ for --clips but received snow/],
  [['codec-quality', '--source', '/not/there.mov'], /\/not\/there\.mov does not exist/],
  [
    ['codec-quality', '--sizes', '640x360', '--clips', 'black', '--crops', '1280x720'],
    /at most 640x360, .+ for --crops but received 1280x720/,
  ],
  [['stream-load', '--hold', '100ms'], /for --hold but received 100ms\. --hold: Measured time/],
])('whiteline run %j is refused, and nothing is made', async (words, sentence) => {
  const out = inFolder('unmade');
  const { exitCode, errors } = await whiteline('run', ...words, '--out', out);
  expect(errors).toMatch(sentence);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(existsSync(out)).toBe(false);
});

test('a limit of WARN above that of PASS is refused: no row could be WARN', async () => {
  const flags = ['--pass-percent', '60', '--warn-percent', '95'];
  const { exitCode, errors } = await whiteline('run', 'link', ...flags, '--out', inFolder('limits'));
  expect(errors).toContain(
    'Expected at most 60, from which on TCP passes, for --warn-percent but received 95',
  );
  expect(exitCode).toBe(exitCodes.badInput);
  expect(existsSync(inFolder('limits'))).toBe(false);
});

test('a switch takes no value', async () => {
  const { exitCode, errors } = await whiteline('run', 'stream-load', '--preload', '--source', 'noise');
  expect(errors).toMatch(/no value with a generated source for --preload but received true/);
  expect(exitCode).toBe(exitCodes.badInput);
});

test.runIf(process.platform === 'linux')(
  'direct reads of a movie that lies in memory are refused before the run',
  async () => {
    const shared = mkdtempSync('/dev/shm/whiteline-');
    onTestFinished(() => rmSync(shared, { recursive: true }));
    const movie = join(shared, 'movie.mov');
    copyFileSync(inFolder('end.mov'), movie);
    const out = inFolder('in-memory');
    const command = ['run', 'stream-load', '--source', movie, '--reads', 'direct', '--out', out];
    const { exitCode, output, errors } = await whiteline(...command);
    expect(errors).toContain(
      `Expected cached (${movie} cannot be read past the page cache: its file system lies in memory) for --reads but received direct. Set cached, or copy the movie to a disk`,
    );
    expect([exitCode, output]).toEqual([exitCodes.badInput, '']);
    expect(existsSync(join(out, 'events.jsonl'))).toBe(false);
  },
);

test('help is no mistake, and knows each parameter', async () => {
  const { exitCode, output } = await whiteline('run', 'stream-load', '--help');
  expect(exitCode).toBe(exitCodes.pass);
  for (const flag of [
    '--max-streams',
    '--hold',
    '--warm-up',
    '--format',
    '--source',
    '--rate',
    '--preload',
    '--reads',
    '--no-audio',
    '--out',
  ])
    expect(output).toContain(flag);
});

test.runIf(process.platform === 'linux')('a device in the place of a plan is refused at once', async () => {
  const { exitCode, errors } = await whiteline('run', '/dev/zero');
  expect(errors).toMatch(/Expected a file for plan but received \/dev\/zero/);
  expect(exitCode).toBe(exitCodes.badInput);
});

test.runIf(process.platform === 'linux')(
  'a folder that the system makes nothing in ends the run at once',
  async () => {
    const { exitCode, errors } = await whiteline('run', 'preflight', '--out', '/proc/x');
    expect(errors).toMatch(/\/proc\/x cannot be written \(ENOENT\)\. Choose a folder/);
    expect(exitCode).toBe(exitCodes.environment);
  },
);

test('files that are there are not written over before anything is measured', async () => {
  const mine = inFolder('mine.txt');
  writeFileSync(mine, 'mine');
  for (const flag of ['--report', '--print-plan']) {
    const { exitCode, errors } = await whiteline('run', 'preflight', flag, mine, '--out', inFolder('unmade'));
    expect(errors).toContain(`${mine} exists already. Choose another name, or give --force`);
    expect(exitCode).toBe(exitCodes.badInput);
  }
  expect(readFileSync(mine, 'utf8')).toBe('mine');
  expect(existsSync(inFolder('unmade'))).toBe(false);
  expect((await whiteline('run', 'preflight', '--print-plan', mine, '--force')).exitCode).toBe(
    exitCodes.pass,
  );
  expect(readFileSync(mine, 'utf8')).toContain('experiment: preflight');
});

test('logs of receivers are refused where nothing is received', async () => {
  const { exitCode, errors } = await whiteline('run', 'preflight', '--capture-logs');
  expect(errors).toMatch(/a run that receives streams for --capture-logs but received preflight\. Leave/);
  expect(exitCode).toBe(exitCodes.badInput);
});

test('rules of pictures are refused where nothing is received', async () => {
  const { exitCode, errors } = await whiteline('run', 'preflight', '--max-reordered', '0');
  expect(errors).toMatch(/a run that receives streams for --max-reordered but received preflight\. Leave/);
  expect(exitCode).toBe(exitCodes.badInput);
});

test('the help of send names every fault that it takes, and none of a receiver', async () => {
  const { output } = await whiteline('send', '--help');
  const taken = faultVerbs.filter((verb) => verb !== 'stall');
  expect(output.replace(/\s+/g, ' ')).toContain(`; one of ${taken.join(', ')} --out`);
});
