import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readEvents } from '../../engine/sessions/read-run';
import { findTool } from '../../engine/tools/run-tool';
import { exitCodes } from '../../protocol/errors';
import { ownLoopback, uniqueName, WhitelineCommand } from '../../testing/command';
import { makeMovie } from '../../testing/movies';
import { type Row, readStreamRun } from '../../testing/named-rows';
import { expectSums } from '../../testing/row-sums';
import { outputPaths, temporaryFolder } from '../../testing/temporary-folder';

const folder = temporaryFolder();
const out = outputPaths(folder);
const { pass, fail, invalid } = exitCodes;
/** A sender that missed a frame on a full machine is a FAIL, and a hypervisor that took too much of it INVALID. */
const measured = [pass, fail, invalid];

/** Small pictures and short rows; later flags overrule earlier ones. */
function quality(
  to: string,
  flags: string[],
  environment: NodeJS.ProcessEnv = {},
  inside: string[] = [],
): WhitelineCommand {
  const small = ['--sizes', '640x360', '--rate', '30', '--hold', '2s', '--warm-up', '500ms', '--frames', '6'];
  const rest = ['--name', uniqueName(), '--out', to, ...flags];
  return new WhitelineCommand(['run', 'codec-quality', ...small, ...rest], environment, inside);
}

/** A PATH whose ffmpeg does something special where its arguments contain a word, and is the real one otherwise. */
function withFfmpeg(name: string, specials: [word: string, special: string][]): NodeJS.ProcessEnv {
  const path = out(name);
  mkdirSync(path);
  const cases = specials.map(([word, special]) => `*${word}*) ${special};;`).join(' ');
  const script = `#!/bin/sh\ncase "$*" in ${cases} esac\nexec '${findTool('ffmpeg')}' "$@"\n`;
  writeFileSync(join(path, 'ffmpeg'), script);
  chmodSync(join(path, 'ffmpeg'), 0o755);
  return { PATH: `${path}:${process.env.PATH}` };
}

function psnr(row: Row | undefined, id = 'quality.psnrYDb'): number {
  const value = row?.values[id];
  return typeof value === 'number' ? value : Number.NaN;
}

function worstPsnr(row: Row | undefined): number {
  return psnr(row, 'quality.worstPsnrYDb');
}

/** Raw pictures anywhere below a folder. */
function rawPictures(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? rawPictures(join(path, entry.name))
      : /\.(uyvy|mov)$/.test(entry.name)
        ? [entry.name]
        : [],
  );
}

test('a clip of the battery, its crop and generated pictures: each compared with the very frame that was sent', async () => {
  const content = out('content');
  const battery = ['--clips', 'live-action-like', '--clip-length', '1s', '--content-folder', content];
  const command = quality(
    out('real'),
    [...battery, '--source', 'white-line', '--source', 'noise'],
    {},
    ownLoopback,
  );
  const { exitCode, output } = await command.ended;
  expect(measured, output + command.errors).toContain(exitCode);
  const { rows } = readStreamRun(out('real'));
  expect(rows.map(({ streams, label }) => [streams, label])).toEqual([
    [0, 'baseline: live-action-like 640x360@30'],
    [1, 'live-action-like 640x360@30'],
    [1, 'live-action-like 640x360@30, its middle 330x198'],
    [1, 'white-line 640x360@30'],
    [1, 'noise 640x360@30'],
  ]);
  expectSums(rows);
  const [, clip, crop, line, noise] = rows;
  for (const row of [clip, crop, line, noise]) {
    const { 'quality.pairs': pairs, 'quality.pairsLeftOut': leftOut } = row?.values ?? {};
    expect(Number(pairs) + Number(leftOut)).toBe(6);
    expect(pairs).toBeGreaterThan(0);
    const [stream] = row?.perStream ?? [];
    expect(row?.values['quality.worstFrame']).toBeGreaterThanOrEqual(stream?.firstFrame ?? Number.NaN);
    expect(row?.values['quality.worstFrame']).toBeLessThanOrEqual(stream?.lastFrame ?? Number.NaN);
    const frames = readFileSync(join(out('real'), `quality-${row?.row}.csv`), 'utf8')
      .trim()
      .split('\n');
    expect(frames).toHaveLength(1 + Number(pairs));
    for (const picture of ['sent-received', 'difference']) {
      const file = join(out('real'), 'pictures', `quality-${row?.row}-${picture}.png`);
      expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
    }
  }
  // What no codec keeps, and what every codec does.
  expect(psnr(noise)).toBeLessThan(25);
  expect(psnr(line)).toBeGreaterThan(45);
  expect(psnr(clip)).toBeGreaterThan(psnr(noise));
  expect(worstPsnr(clip)).toBeLessThanOrEqual(psnr(clip));
  // Grey has no colour to lose.
  expect(line?.values['quality.psnrCbDb']).toBe('exact');
  // As the study had it: the smaller picture is compressed less.
  const bits = [clip, crop].map((row) => Number(row?.values['quality.bitsPerPixel']));
  expect(bits[1]).toBeGreaterThan(bits[0] ?? Number.NaN);
  expect(psnr(clip, 'quality.hapPsnrYDb')).toBeGreaterThan(25);
  expect(clip?.values['quality.hapBitrateMbps']).toBeGreaterThan(1);
  expect(noise?.values['quality.hapPsnrYDb']).toBeNull();
  expect(noise?.notMeasured['quality.hapPsnrYDb']).toMatch(/only clips of the content battery/);
  expect(readdirSync(content)).toEqual(['live-action-like-640x360-30-1s-hap_q-8.mov']);
  expect(existsSync(join(out('real'), 'pairs'))).toBe(false);
  const pictures = readEvents(out('real')).filter(({ kind }) => kind === 'picture');
  expect(pictures).toHaveLength(8);
  // Noise lost most; the pictures of a row that the machine made INVALID do not count.
  const judged = [clip, crop, line, noise].filter((row) => row?.verdict !== 'INVALID');
  const worst = judged.sort((a, b) => worstPsnr(a) - worstPsnr(b))[0];
  expect(output).toMatch(
    worst
      ? `${worst.label} lost most: luma of its worst frame has ${worstPsnr(worst).toFixed(1)} dB`
      : 'all rows with a comparison are INVALID',
  );
  await command.leavesNothingBehind();
});

test('without ffmpeg the run does not begin, and says how to get it', async () => {
  mkdirSync(out('empty-path'));
  const command = quality(out('no-tool'), ['--source', 'noise'], { PATH: out('empty-path') });
  const { exitCode, errors } = await command.ended;
  expect(errors).toMatch(/ffmpeg is not installed.+install it/);
  expect(exitCode).toBe(exitCodes.environment);
  expect(existsSync(out('no-tool'))).toBe(false);
});

test('an ffmpeg that is killed costs the pictures of the worst frame, and one that cuts nonsense the rows to come', async () => {
  const movie = join(folder, 'movie.mov');
  makeMovie(movie);
  const to = out('bad-tool');
  const nonsense = 'for last; do :; done; echo nonsense > "${last#file:}"; exit 0';
  const environment = withFfmpeg('tool', [
    ['image2', 'kill -9 $$'],
    ['crop=', nonsense],
  ]);
  const command = quality(to, ['--source', movie], environment);
  const { exitCode, errors } = await command.ended;
  expect(errors).toMatch(/crop\.mov cannot be played/);
  expect(exitCode).toBe(exitCodes.badInput);
  const { rows, state } = readStreamRun(to);
  expect(state).toBe('failed');
  expect(rows.map(({ streams }) => streams)).toEqual([0, 1]);
  expect(psnr(rows[1])).toBeGreaterThan(10);
  const problems = readEvents(to).filter(({ kind }) => kind === 'problem');
  expect(problems.map(({ text }) => text).join()).toMatch(
    /: no pictures of the worst frame: ffmpeg made no picture/,
  );
  expect(readdirSync(join(to, 'pictures'))).toEqual([]);
  expect(rawPictures(to)).toEqual([]);
  await command.leavesNothingBehind();
});

test('hosts whose command is killed while they keep pictures remove them', async () => {
  const to = out('killed');
  const command = quality(to, ['--source', 'noise', '--hold', '6s', '--frames', '60']);
  await vi.waitFor(() => expect(rawPictures(to).length).toBeGreaterThan(4), {
    timeout: 60_000,
    interval: 50,
  });
  command.signal('SIGKILL');
  await command.ended;
  await command.leavesNothingBehind();
  expect(rawPictures(to)).toEqual([]);
  const { rows, state } = readStreamRun(to);
  expect(state).toBe('interrupted');
  expect(rows.length).toBeGreaterThanOrEqual(1);
});
