import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { picturesOfCommand } from '../../../testing/command-pictures';
import { notHap } from '../../../testing/movie-facts';
import { temporaryFolder } from '../../../testing/temporary-folder';
import { chooseSource } from './source-choice';

const folder = temporaryFolder();
const count = 30;

function ffmpeg(filter: string, coded: string, file: string): string {
  const path = join(folder, file);
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', filter, ...coded.split(' ')],
    // Lest the name be a pattern.
    ...['-f', 'image2pipe', `file:${path}`],
  ]);
  return path;
}

interface Shown {
  size: string;
  /** Red, green and blue in the middle of the upper and of the lower half of each picture. */
  pixels: string[];
}

async function shown(source: string, rate = '50'): Promise<Shown> {
  const { options } = await chooseSource(
    { source, format: '', rate, pixelFormat: 'bgra' },
    { request: async () => notHap },
  );
  const { width, height } = options;
  const at = (picture: Buffer, down: number): string => {
    const [blue = 0, green = 0, red = 0] = picture.subarray(
      4 * (Math.floor(down * height) * width + Math.floor(width / 4)),
    );
    return [red, green, blue].map((value) => Math.round(value / 64)).join('');
  };
  const pixels = picturesOfCommand(options, count).map((picture) => {
    return `${at(picture, 0.25)} ${at(picture, 0.75)}`;
  });
  return { size: `${width}x${height}`, pixels };
}

const same = (pixels: string): string[] => Array.from({ length: count }, () => pixels);
/** Red over blue. */
const halves = (size: string, half: string): string =>
  `color=red:s=${half}[a];color=blue:s=${half}[b];[a][b]vstack,noise=alls=8,scale=${size}`;
const codecs = { png: 'png', jpg: 'mjpeg', bmp: 'bmp', tiff: 'tiff', webp: 'libwebp' };

describe.each(Object.entries(codecs))('a still .%s', (ending, codec) => {
  test.each(['still', 'still%d', 'still%03d', 'a%', 'a*{b}', "it's 1: [x]"])('%s lasts', async (name) => {
    const path = ffmpeg(halves('320x180', '320x90'), `-frames:v 1 -c:v ${codec}`, `${name}.${ending}`);
    expect(await shown(path)).toEqual({ size: '320x180', pixels: same('400 004') });
  });

  test('comes at 25 frames a second', async () => {
    const source = ffmpeg('color=red:s=320x180', `-frames:v 1 -c:v ${codec}`, `rate.${ending}`);
    const settings = { source, format: '', pixelFormat: 'bgra' as const };
    const { format, remarks } = await chooseSource(settings, { request: async () => notHap });
    expect(format).toEqual({ width: 320, height: 180, rate: { numerator: 25, denominator: 1 } });
    expect(remarks).toEqual([]);
  });

  test('of HD lasts, by another name too', async () => {
    const path = ffmpeg(halves('1280x720', '1280x360'), `-frames:v 1 -c:v ${codec}`, `hd.${ending}`);
    expect(await shown(path)).toEqual({ size: '1280x720', pixels: same('400 004') });
    const other = join(folder, `hd-${ending}.${ending === 'png' ? 'jpg' : 'png'}`);
    writeFileSync(other, readFileSync(path));
    expect((await shown(other)).pixels).toEqual(same('400 004'));
  });
});

/** A photo that a camera took on its side: the bottom of what it saw is on the left, as Exif calls 6. */
function turnedPhoto(photo: Buffer): Buffer {
  const tiff = Buffer.from(`4d4d002a00000008${'0001'}${'01120003000000010006'}${'0000'}${'00000000'}`, 'hex');
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([photo.subarray(0, 2), head, exif, photo.subarray(2)]);
}

describe('a photo', () => {
  const photo = () =>
    readFileSync(ffmpeg(halves('1280x720', '1280x360'), '-frames:v 1 -c:v mjpeg', 'photo.jpg'));

  test('stands upright as its camera says', async () => {
    const path = join(folder, 'turned.jpg');
    // Turned clockwise, what was above stands on the right.
    writeFileSync(path, turnedPhoto(photo()));
    expect(await shown(path)).toEqual({ size: '720x1280', pixels: same('004 004') });
  });

  test('is shown, and not what a phone writes behind it', async () => {
    const gain = readFileSync(ffmpeg('color=white:s=320x180', '-frames:v 1 -c:v mjpeg', 'gain.jpg'));
    const path = join(folder, 'phone.jpg');
    writeFileSync(path, Buffer.concat([photo(), gain]));
    expect((await shown(path)).pixels).toEqual(same('400 004'));
  });
});

test.each([
  ['moves%d.png', 'apng'],
  ['moves.png', 'apng'],
  ['moves%d.gif', 'gif'],
  ['moves.mjpeg', 'mjpeg'],
])('%s moves', async (file, format) => {
  const path = join(folder, file);
  const filter = 'color=white:s=320x180:r=10:d=1,fade=in:0:10';
  const made = join(folder, `made.${format}`);
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', filter, made]);
  writeFileSync(path, readFileSync(made));
  const { pixels } = await shown(path, '25');
  expect(pixels).toHaveLength(count);
  expect(new Set(pixels).size).toBeGreaterThan(3);
});
