import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WhitelineError } from '../../../protocol/errors';
import type { HostCommand } from '../../../protocol/host';
import type { MovieCheckStatus } from '../../../protocol/records';
import { type SourceSettings, sameSettings } from '../../../protocol/source-spec';
import { checked, fileOf, movieFacts, notHap } from '../../../testing/movie-facts';
import { temporaryFolder } from '../../../testing/temporary-folder';
import { chooseSource } from './source-choice';

const folder = temporaryFolder();
const movie = fileOf(join(folder, 'clip.mov'));
const film = join(folder, 'film.mp4');
const plain: SourceSettings = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' };
const hap: SourceSettings = { ...plain, source: movie };
const h264: SourceSettings = { ...plain, source: film };

beforeAll(() => {
  const input = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30000/1001:duration=0.5'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, '-c:v', 'mpeg4', film]);
});

let commands: HostCommand[];
let says: (command: HostCommand) => MovieCheckStatus;

beforeEach(() => {
  commands = [];
  says = () => checked();
});

function choose(settings: SourceSettings) {
  return chooseSource(settings, {
    request: async (command) => {
      commands.push(command);
      return says(command);
    },
  });
}

function refusal(settings: SourceSettings) {
  return choose(settings).then(
    () => expect.fail('was taken'),
    (error: WhitelineError) => error,
  );
}

describe('a generated source', () => {
  test('takes its size from the format, and asks no host', async () => {
    const { format, neededDiskRateMBps } = await choose({ ...plain, format: '1920x1080@59.94' });
    expect(format).toEqual({ width: 1920, height: 1080, rate: { numerator: 60000, denominator: 1001 } });
    expect(neededDiskRateMBps).toBeNull();
    expect(commands).toEqual([]);
  });

  test.each([{ scale: '640x360' }, { rate: '50' }, { startFrame: 1 }, { preload: true }])(
    'takes no %j',
    async (setting) => {
      const [field] = Object.keys(setting);
      expect(await refusal({ ...plain, ...setting })).toMatchObject({
        ...{ code: 'BAD_INPUT', field, message: expect.stringContaining('no value with a generated source') },
      });
    },
  );

  test('takes what is no setting at all', async () => {
    await expect(choose({ ...plain, startFrame: 0, preload: false })).resolves.toBeDefined();
  });
});

describe('a Hap movie', () => {
  test('is played by the host itself, at its own size and exact rate', async () => {
    const chosen = await choose(hap);
    expect(commands).toEqual([{ name: 'checkMovie', path: movie, decode: false }]);
    expect(chosen.options).toEqual({
      ...{ kind: 'hap', width: 3840, height: 2160, rateNumerator: 60000, rateDenominator: 1001 },
      ...{ pixelFormat: 'uyvy', hap: { path: movie, startFrame: 0, preload: false, reads: 'cached' } },
    });
    expect(chosen.format.rate).toEqual({ numerator: 60000, denominator: 1001 });
    expect(chosen.neededDiskRateMBps).toBe(225);
    expect(chosen.environment).toMatchObject({
      kind: 'hap',
      playedBy: 'Whiteline',
      variant: 'Hap Q',
      frames: 600,
    });
  });

  test('is sent at another rate, from another frame, out of memory', async () => {
    const chosen = await choose({
      ...hap,
      rate: '30000/1001',
      startFrame: 599,
      preload: true,
      pixelFormat: 'bgra',
    });
    expect(chosen.options).toMatchObject({
      ...{ kind: 'hap', rateNumerator: 30000, rateDenominator: 1001, pixelFormat: 'bgra' },
      hap: { path: movie, startFrame: 599, preload: true },
    });
    expect(chosen.environment).not.toHaveProperty('reads');
    expect(chosen.format.rate).toEqual({ numerator: 30000, denominator: 1001 });
    expect(chosen.neededDiskRateMBps).toBeNull();
  });

  test('is read past the page cache where its file system has that', async () => {
    expect((await choose(hap)).environment).toMatchObject({ reads: 'cached' });
    commands.length = 0;
    const chosen = await choose({ ...hap, reads: 'direct' });
    expect(commands.map((command) => command.name === 'checkMovie' && command.reads)).toEqual([
      undefined,
      'direct',
    ]);
    expect(chosen.options.hap).toMatchObject({ reads: 'direct' });
    expect(chosen.environment).toMatchObject({ preload: false, reads: 'direct' });
  });

  test('is refused where it has not, with the field, the value and what to do', async () => {
    const message = `${movie} cannot be read past the page cache: its file system refuses it`;
    says = (command) => {
      if (command.name === 'checkMovie' && command.reads === 'direct')
        throw new WhitelineError({ code: 'BAD_INPUT', message, remedy: 'Set cached' });
      return checked();
    };
    expect(await refusal({ ...hap, reads: 'direct' })).toMatchObject({
      ...{ code: 'BAD_INPUT', field: 'reads', value: 'direct', remedy: 'Set cached' },
      message: `Expected cached (${message}) for reads but received direct`,
    });
  });

  test('in memory is not read at all', async () => {
    const { field, message } = await refusal({ ...hap, preload: true, reads: 'direct' });
    expect([field, message]).toEqual([
      'reads',
      'Expected no value with preload for reads but received direct',
    ]);
  });

  test.each([
    ['30000/1001', 112.5],
    ['59.94', 225],
    ['119.88', 225],
  ])('needs no more of the disk at %s than the frames that are shown', async (rate, neededMBps) => {
    expect((await choose({ ...hap, rate })).neededDiskRateMBps).toBeCloseTo(neededMBps, 6);
  });

  test('does not start behind its end', async () => {
    expect(await refusal({ ...hap, startFrame: 600 })).toMatchObject({
      ...{ code: 'BAD_INPUT', field: 'startFrame' },
      message: 'Expected a frame from 0 to 599 for startFrame but received 600',
    });
  });

  test.each([
    [127, 71, '127x71'],
    [641, 360, '641x360'],
    [320, 178, '320x178'],
    [318, 180, '318x180'],
  ])('of %i×%i cannot carry the frame code', async (width, height, size) => {
    says = () => checked({ facts: movieFacts({ width, height }) });
    const { code, field, message, remedy } = await refusal(hap);
    expect([code, field]).toEqual(['BAD_INPUT', 'source']);
    expect(message).toContain(`${movie} (${size}@59.94)`);
    expect(remedy).toContain(`whiteline content inspect ${movie}`);
  });

  test.each([
    [1001, 1],
    [3_999_999_999, 66_733_400],
  ])('at %i/%i frames per second is sent at another rate only', async (rateNumerator, rateDenominator) => {
    says = () => checked({ facts: movieFacts({ rateNumerator, rateDenominator }) });
    expect(await refusal(hap)).toMatchObject({
      field: 'source',
      remedy: expect.stringContaining('set rate'),
    });
    expect((await choose({ ...hap, rate: '50' })).options).toMatchObject({ rateNumerator: 50 });
  });

  test('that is damaged is refused with what the host says', async () => {
    const message = `${movie}: the box stbl at byte 4711 ends behind its parent`;
    says = () => {
      throw new WhitelineError({ code: 'MOVIE_UNREADABLE', message, remedy: 'Copy it again' });
    };
    expect(await refusal(hap)).toMatchObject({
      code: 'MOVIE_UNREADABLE',
      message,
      field: 'source',
      value: movie,
    });
  });

  test('that vanished is refused', async () => {
    says = () => {
      throw new WhitelineError({ code: 'NOT_FOUND', message: 'gone' });
    };
    expect(await refusal(hap)).toMatchObject({ code: 'NOT_FOUND', field: 'source', value: movie });
  });

  test('at its own size is not resized', async () => {
    expect((await choose({ ...hap, scale: '3840x2160' })).options.kind).toBe('hap');
  });
});

describe('a movie that ffmpeg plays', () => {
  beforeEach(() => {
    says = () => notHap;
  });

  test('is refused where it is too small for the frame code, and taken where it is resized', async () => {
    const source = join(folder, 'small.mp4');
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-i',
      film,
      '-vf',
      'scale=176:144',
      '-c:v',
      'mpeg4',
      source,
    ]);
    const { message, remedy } = await refusal({ ...h264, source });
    expect(message).toContain('(176x144@29.97)');
    expect(remedy).toBe('Resize it with scale, for example 1280x720');
    expect((await choose({ ...h264, source, scale: '704x576' })).options).toMatchObject({ width: 704 });
  });

  test('keeps its size and rate', async () => {
    const { options, environment, neededDiskRateMBps } = await choose(h264);
    expect(options).toMatchObject({
      ...{ kind: 'movie', width: 320, height: 180, rateNumerator: 30000, rateDenominator: 1001 },
    });
    expect(options.command?.arguments.join(' ')).toContain('scale=320:180:');
    expect(environment).toMatchObject({
      kind: 'movie',
      playedBy: 'ffmpeg',
      codec: 'mpeg4',
      ownFormat: '320x180@29.97',
    });
    expect(neededDiskRateMBps).toBeNull();
  });

  test('is resized and sent at another rate, exactly', async () => {
    const { options, format } = await choose({ ...h264, scale: '640x360', rate: '59.94' });
    expect(format).toEqual({ width: 640, height: 360, rate: { numerator: 60000, denominator: 1001 } });
    expect(options).toMatchObject({ rateNumerator: 60000, rateDenominator: 1001 });
    expect(options.command?.arguments.join(' ')).toContain('fps=60000/1001,scale=640:360:');
  });

  test('takes no direct reads', async () => {
    const { message } = await refusal({ ...h264, reads: 'direct' });
    expect(message).toContain('cached with a movie that is not Hap (mpeg4) for reads');
  });

  test.each([{ startFrame: 5 }, { preload: true }])('takes no %j', async (setting) => {
    const [field] = Object.keys(setting);
    const { message } = await refusal({ ...h264, ...setting });
    expect(message).toMatch(new RegExp(`no value with a movie that is not Hap \\(mpeg4\\) for ${field}`));
  });

  test('is taken though our own reader calls its index damaged', async () => {
    says = () => {
      throw new WhitelineError({ code: 'MOVIE_UNREADABLE', message: 'it is fragmented' });
    };
    expect((await choose(h264)).options.kind).toBe('movie');
  });
});

test('a Hap movie that is resized is played by ffmpeg, and the run’s environment says so', async () => {
  const { width, height, rateNumerator, rateDenominator } = {
    ...{ width: 320, height: 180, rateNumerator: 30000, rateDenominator: 1001 },
  };
  says = () => checked({ facts: movieFacts({ width, height, rateNumerator, rateDenominator }) });
  const { options, environment } = await choose({ ...h264, scale: '640x360' });
  expect(options).toMatchObject({ kind: 'movie', width: 640, height: 360 });
  expect(environment).toMatchObject({ kind: 'hap', playedBy: 'ffmpeg', ownFormat: '320x180@29.97' });
  expect((await refusal({ ...h264, scale: '640x360', preload: true })).message).toContain(
    'no value with a Hap movie that ffmpeg resizes for preload',
  );
});

test('a Hap movie with a display matrix is turned by ffmpeg, one with other pixels has its aspect announced', async () => {
  const small = { width: 320, height: 180, rateNumerator: 30000, rateDenominator: 1001 };
  says = () => checked({ facts: movieFacts({ ...small, isTurned: true }) });
  expect((await choose(h264)).options.kind).toBe('movie');
  expect((await refusal({ ...h264, preload: true })).message).toContain('a Hap movie that ffmpeg turns');
  says = () => checked({ facts: movieFacts({ width: 720, height: 576, pixelAspect: 64 / 45 }) });
  const { options, remarks, environment } = await choose(hap);
  expect([options.kind, options.aspect]).toEqual(['hap', expect.closeTo(16 / 9, 9)]);
  expect(remarks).toEqual(['pixels are not square: shown at 1.78:1']);
  expect(environment.remarks).toEqual(remarks);
});

test('settings are the same when every one of them is', () => {
  expect(sameSettings(hap, { ...hap })).toBe(true);
  for (const change of [
    { rate: '50' },
    { startFrame: 1 },
    { preload: true },
    { scale: '640x360' },
    { source: 'x' },
  ])
    expect(sameSettings(hap, { ...hap, ...change })).toBe(false);
});
