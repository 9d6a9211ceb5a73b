import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import type { MovieCheckStatus, MovieFacts } from '../protocol/records';
import { whiteline } from '../testing/command-here';
import { damageFrames, makeMovie } from '../testing/movies';
import { temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const inFolder = (name: string): string => join(folder, name);
const frames = 60;

beforeAll(() => {
  makeMovie(inFolder('hap.mov'), { codec: ['-c:v', 'hap', '-chunks', '4', '-r', '30000/1001'] });
  makeMovie(inFolder('front.mov'), { codec: ['-c:v', 'hap', '-format', 'hap_q'], faststart: true });
  makeMovie(inFolder('small.mov'), { size: '160x120' });
  makeMovie(inFolder('sound.mov'), { codec: ['-c:v', 'hap', '-c:a', 'pcm_s16le'], sound: true });
  makeMovie(inFolder('film.mp4'), { codec: ['-c:v', 'mpeg4'] });
  const whole = readFileSync(inFolder('front.mov'));
  writeFileSync(inFolder('cut.mov'), whole.subarray(0, Math.floor(whole.length * 0.6)));
  copyFileSync(inFolder('hap.mov'), inFolder('damaged.mov'));
  writeFileSync(inFolder('wrapped.mov'), wrapped(readFileSync(inFolder('sound.mov')), 47));
  damagedBytes = damageFrames(inFolder('damaged.mov'), [12, 40]);
});

let damagedBytes: number[];

/** As an offset of 32 bits wraps: chunks from one on lie so many bytes after the file's beginning as they lie after that one. */
function wrapped(movie: Buffer, firstChunk: number): Buffer {
  const table = movie.indexOf('stco') + 8;
  const firstByte = movie.readUInt32BE(table + 4 * (firstChunk + 1));
  for (let chunk = firstChunk; chunk < movie.readUInt32BE(table); chunk++) {
    const at = table + 4 * (chunk + 1);
    movie.writeUInt32BE(movie.readUInt32BE(at) - firstByte, at);
  }
  return movie;
}

describe('inspect', () => {
  test('says what a Hap movie is, and needs no NDI', async () => {
    const { exitCode, output, errors } = await whiteline('content', 'inspect', inFolder('hap.mov'), '--json');
    expect([exitCode, errors]).toEqual([exitCodes.pass, '']);
    const facts = JSON.parse(output) as MovieFacts & { kind: string; path: string };
    expect(facts).toMatchObject({
      ...{ path: inFolder('hap.mov'), kind: 'hap', fourCC: 'Hap1', width: 640, height: 360 },
      ...{ rateNumerator: 30000, rateDenominator: 1001, constantRate: true, frames, chunksMin: 4 },
      ...{ compressor: 'snappy', fileBytes: readFileSync(inFolder('hap.mov')).length, problems: [] },
    });
    expect(facts.durationSeconds).toBeCloseTo((frames * 1001) / 30000, 3);
    expect(facts.bitrateMbps).toBeLessThanOrEqual((8 * facts.fileBytes) / facts.durationSeconds / 1e6);
  });

  test('reports the same to a reader', async () => {
    const { output } = await whiteline('content', 'inspect', inFolder('hap.mov'));
    expect(output).toMatch(/variant +Hap \(Hap1\)\n/);
    expect(output).toMatch(/size +640×360\n +rate +29\.97 frames\/s\n/);
    expect(output).toMatch(/chunks +4, compressor snappy\n/);
    expect(output).toMatch(/problems +none found; content verify decodes every frame\n/);
  });

  test('names what keeps a movie from being streamed', async () => {
    const { exitCode, output } = await whiteline('content', 'inspect', inFolder('small.mov'), '--json');
    expect(exitCode).toBe(exitCodes.pass);
    expect((JSON.parse(output) as MovieFacts).problems.join()).toMatch(/320/);
  });

  test('says that ffmpeg plays anything else', async () => {
    const { exitCode, output } = await whiteline('content', 'inspect', inFolder('film.mp4'));
    expect(exitCode).toBe(exitCodes.pass);
    expect(output).toMatch(
      /codec +mpeg4: not Hap, so ffmpeg plays it\n +format +640x360@30\n +duration +2.00 s\n +played +as it is\n/,
    );
    const json = JSON.parse((await whiteline('content', 'inspect', inFolder('film.mp4'), '--json')).output);
    expect(json).toMatchObject({ kind: 'ffmpeg', codec: 'mpeg4', rateNumerator: 30, rateDenominator: 1 });
  });
});

describe('verify', () => {
  test('a sound movie is clean, and its progress is reported on standard error', async () => {
    const { exitCode, output, errors } = await whiteline('content', 'verify', inFolder('hap.mov'));
    expect(exitCode).toBe(exitCodes.pass);
    expect(output).toBe(`${inFolder('hap.mov')}: ${frames} frames, none is damaged\n`);
    for (const line of errors.trim().split('\n').filter(Boolean))
      expect(line).toMatch(/^Decoded \d+ of 60 frames, \d+ %$/);
  });

  test('each damaged frame is named with its byte', async () => {
    const path = inFolder('damaged.mov');
    const { exitCode, output } = await whiteline('content', 'verify', path, '--json');
    expect(exitCode).toBe(exitCodes.fail);
    const report = JSON.parse(output);
    expect(report).toMatchObject({
      path,
      complete: true,
      clean: false,
      framesDecoded: frames,
      damagedFrames: 2,
    });
    expect(report.damage).toMatchObject([{ frame: 12 }, { frame: 40 }]);
    for (const [index, byte] of damagedBytes.entries()) {
      expect(report.damage[index].byte).toBeGreaterThanOrEqual(byte);
      expect(report.damage[index].byte).toBeLessThan(byte + 8);
    }
    const text = (await whiteline('content', 'verify', path)).output;
    expect(text).toContain(`${path}, frame 12 `);
    expect(text).toContain(`at byte ${report.damage[0].byte}: `);
    expect(text).toMatch(/damaged\.mov: 60 frames, 2 damaged\n$/);
  });
});

test('inspect and verify name the same frames of a movie whose offsets wrapped', async () => {
  const path = inFolder('wrapped.mov');
  const inspected = await whiteline('content', 'inspect', path, '--json');
  const verified = await whiteline('content', 'verify', path, '--json');
  expect([inspected.exitCode, verified.exitCode]).toEqual([exitCodes.pass, exitCodes.fail]);
  const { damage } = JSON.parse(verified.output) as MovieCheckStatus;
  expect(damage.map(({ frame }) => frame)).toEqual(Array.from({ length: 13 }, (_, index) => 47 + index));
  const frameOf = (text: string): string => text.match(/, frame \d+ \(bytes \d+ to \d+\)/)?.[0] ?? text;
  const { problems } = JSON.parse(inspected.output) as MovieFacts;
  expect(problems.map(frameOf)).toEqual(damage.map(({ message }) => frameOf(message)));
});

test.each(['inspect', 'verify'])('%s refuses what cannot be read', async (verb) => {
  const refusals = [
    ['absent.mov', /does not exist or cannot be read\. Check the path/],
    ['cut.mov', /cut\.mov.+ file .*ends.+\. Copy the movie again/],
    ['', /Expected the path of a movie file for file but received .+\. Give the movie itself/],
  ] as const;
  for (const [name, sentence] of refusals) {
    const { exitCode, output, errors } = await whiteline('content', verb, inFolder(name));
    expect(errors).toMatch(sentence);
    expect([exitCode, output]).toEqual([exitCodes.badInput, '']);
  }
});

test('verify has no word on a movie of another codec', async () => {
  const { exitCode, errors } = await whiteline('content', 'verify', inFolder('film.mp4'));
  expect(errors).toMatch(/Expected a Hap codec .+ but received mp4v.+ffmpeg -v error -i/);
  expect(exitCode).toBe(exitCodes.badInput);
});
