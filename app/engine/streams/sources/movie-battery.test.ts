import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { framesPerSecond } from '../../../protocol/format';
import { type ExpectedMovie, expectedOf, makeBatteryMovie, type Rgb } from '../../../testing/battery-maker';
import { picturesOfCommand } from '../../../testing/command-pictures';
import { type BatteryMovie, batteryName, movieBattery } from '../../../testing/movie-battery';
import { notHap } from '../../../testing/movie-facts';
import { cases } from '../../../testing/random';
import { temporaryFolder } from '../../../testing/temporary-folder';
import { type ChosenSource, chooseSource } from './source-choice';

const folder = temporaryFolder();

interface Played {
  options: ChosenSource['options'];
  perSecond: number;
  pictures: Buffer[];
}

/** What the stream host would read of so many seconds. */
async function played(movie: BatteryMovie, seconds: number): Promise<Played> {
  const source = join(folder, `${batteryName(movie)}.${movie.container}`);
  makeBatteryMovie(movie, source);
  const { options, format } = await chooseSource(
    { source, format: '', pixelFormat: 'uyvy' },
    { request: async () => notHap },
  );
  const perSecond = framesPerSecond(format.rate);
  const pictures = picturesOfCommand(options, Math.ceil(seconds * perSecond));
  return { options, perSecond, pictures };
}

/** At shares of width and height: Y, U and V, or blue, green, red and alpha. */
function pixelAt({ options }: Played, picture: Buffer | undefined, across: number, down: number): number[] {
  const { width, height, command } = options;
  const [column, row] = [Math.floor(across * width), Math.floor(down * height)];
  if (command?.hasAlpha) return [...(picture?.subarray(4 * (row * width + column)) ?? [])].slice(0, 4);
  const pair = 4 * Math.floor((row * width + column) / 2);
  const [u = 0, y = 0, v = 0] = picture?.subarray(pair, pair + 4) ?? [];
  return [y, u, v];
}

/** As receivers take UYVY of so many lines. */
function yuvOf([red, green, blue]: Rgb, lines: number): number[] {
  const [kr, kb] = lines >= 720 ? [0.2126, 0.0722] : [0.299, 0.114];
  const y = (kr * red + (1 - kr - kb) * green + kb * blue) / 255;
  const u = (blue / 255 - y) / (2 * (1 - kb));
  const v = (red / 255 - y) / (2 * (1 - kr));
  return [16 + 219 * y, 128 + 224 * u, 128 + 224 * v].map(Math.round);
}

/** Which frame of the movie each picture shows, by the square in the middle. */
function framesOf(movie: Played, count: number): number[] {
  return movie.pictures.map((picture) => {
    const pixel = pixelAt(movie, picture, 0.5, 0.5);
    const share = movie.options.command?.hasAlpha ? (pixel[1] ?? 0) / 255 : ((pixel[0] ?? 0) - 16) / 219;
    return Math.round(share * count);
  });
}

/** Each takes a second; the suite `seeds` takes all of them. */
const tried = movieBattery.filter((_, index) => index % cases(2, 1) === 0);

describe('a movie of the battery is played as it is meant', () => {
  test.each(tried.map((movie) => [batteryName(movie), movie] as const))('%s', async (_name, movie) => {
    const expected = expectedOf(movie);
    const found = await played(movie, 2.5 * expected.durationSeconds);
    expect([found.options.width, found.options.height]).toEqual([expected.width, expected.height]);
    if (expected.aspect === null) expect(found.options.aspect).toBeUndefined();
    else expect(found.options.aspect).toBeCloseTo(expected.aspect, 2);
    expectCorners(found, expected);
    expectTimes(found, expected);
  });
});

function expectCorners(found: Played, { corners, hole }: ExpectedMovie): void {
  const [first] = found.pictures;
  const { height, command } = found.options;
  const near = 1 / 12;
  const places = [
    [near, near],
    [1 - near, near],
    [near, 1 - near],
    [1 - near, 1 - near],
  ] as const;
  const pixels = places.map(([across, down]) => pixelAt(found, first, across, down));
  const wanted = corners.map((corner) =>
    command?.hasAlpha ? [...corner].reverse().concat(255) : yuvOf(corner, height),
  );
  const off = Math.max(
    ...wanted.flatMap((pixel, at) =>
      pixel.map((value, index) => Math.abs(value - (pixels[at]?.[index] ?? 0))),
    ),
  );
  if (off > 3) expect(pixels).toEqual(wanted);
  expect(command?.hasAlpha ?? false).toBe(hole !== null);
  if (hole) expect(pixelAt(found, first, ...hole)[3]).toBe(0);
}

function expectTimes(found: Played, { timesSeconds, durationSeconds }: ExpectedMovie): void {
  const frames = framesOf(found, timesSeconds.length);
  const begins = frames.flatMap((frame, at) => (at === 0 || frame < (frames[at - 1] ?? 0) - 1 ? at : []));
  const slot = 1 / found.perSecond;
  const lengths = begins.slice(1).map((begin, index) => (begin - (begins[index] ?? 0)) * slot);
  const said = JSON.stringify({ perSecond: found.perSecond, lengths, frames });
  expect(lengths.length, said).toBeGreaterThanOrEqual(2);
  for (const seconds of lengths) expect(Math.abs(seconds - durationSeconds), said).toBeLessThan(1.01 * slot);
  for (const [at, frame] of frames.slice(0, begins[1]).entries()) {
    const early = (timesSeconds[frame] ?? durationSeconds) - at * slot;
    const late = at * slot - (timesSeconds[frame + 1] ?? durationSeconds);
    expect(Math.max(early, late), said).toBeLessThan(1.01 * slot);
  }
}
