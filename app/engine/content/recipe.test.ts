import { basename, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { formatText } from '../../protocol/format';
import { type ContentClip, readManifest } from './manifest';
import {
  type ClipSettings,
  checkSettings,
  clipOfFile,
  clipPath,
  expectedBytes,
  framesOf,
  writerOptions,
} from './recipe';

const manifest = readManifest(resolve('.'));
const flares = manifest.clips.find(({ name }) => name === 'flares') as ContentClip;
const settings: ClipSettings = {
  format: { width: 1920, height: 1080, rate: { numerator: 60000, denominator: 1001 } },
  seconds: 10,
  variant: 'hap_q',
  chunks: 8,
};

test('every setting is in the name of the file', () => {
  const path = clipPath('/clips', flares, settings);
  expect(path).toBe('/clips/flares-1920x1080-59.94-10s-hap_q-8.mov');
  const odd = { ...settings.format, rate: { numerator: 100, denominator: 7 } };
  expect(clipPath('/clips', flares, { ...settings, format: odd })).toMatch(/1920x1080-100-7-10s/);
  const others: Partial<ClipSettings>[] = [{ seconds: 5 }, { variant: 'hap' }, { chunks: 1 }];
  for (const other of others) expect(clipPath('/clips', flares, { ...settings, ...other })).not.toBe(path);
});

test.each([
  settings,
  { ...settings, seconds: 0.5, format: { ...settings.format, rate: { numerator: 100, denominator: 7 } } },
])('the name of a file says how it was made', (asked) => {
  const { seconds, variant, chunks, format } = asked;
  const reported = clipOfFile(basename(clipPath('/clips', flares, asked)));
  expect(reported).toEqual({ name: 'flares', format: formatText(format), seconds, variant, chunks });
});

test.each([
  'flares.mov',
  'flares-1920x1080-60-10s-prores-8.mov',
  'flares-1920x1080-60-10s-hap-8.mov.partial',
])('%s is no clip of the battery', (file) => expect(clipOfFile(file)).toBeNull());

test('the frames of a clip are the nearest to its length', () => {
  expect(framesOf(settings)).toBe(599);
  expect(framesOf({ ...settings, seconds: 0.1 })).toBe(6);
});

test('ffmpeg is given all that it needs, and a path that looks like a protocol stays a path', () => {
  const options = writerOptions(flares, settings, '/a:b/flares.mov.partial');
  expect(options).toMatchObject({
    generator: 'flares',
    width: 1920,
    height: 1080,
    rateNumerator: 60000,
    rateDenominator: 1001,
    frames: 599,
  });
  const { file, arguments: list } = options.command;
  expect(file).toBe('ffmpeg');
  expect(list.join(' ')).toMatch(
    /-pix_fmt bgra -video_size 1920x1080 -framerate 60000\/1001 -i pipe:0 -c:v hap -format hap_q -chunks 8 -f mov -y file:\/a:b\/flares\.mov\.partial$/,
  );
});

test('the disk that a clip takes is reported from what was measured of it', () => {
  const measured = { ...flares, hapQ: { bitrateMbps: 1800 } };
  const large = {
    ...settings,
    format: { width: 3840, height: 2160, rate: { numerator: 60, denominator: 1 } },
  };
  const measuredBytes = (1800e6 / 8) * 10;
  const atThatSize = expectedBytes(measured, large, manifest);
  expect(atThatSize / measuredBytes).toBeCloseTo(1.2, 5);
  expect(expectedBytes(measured, { ...large, seconds: 5 }, manifest)).toBeCloseTo(atThatSize / 2, 0);
  expect(expectedBytes(measured, { ...large, variant: 'hap' }, manifest)).toBeCloseTo(atThatSize / 2, 0);
  // What does not compress takes its texture: one byte a pixel.
  const texture = 600 * 3840 * 2160;
  expect(expectedBytes({ ...flares, hapQ: { bitrateMbps: 3980 } }, large, manifest)).toBe(texture);
  expect(expectedBytes({ ...flares, hapQ: { notMeasured: 'new' } }, large, manifest)).toBe(texture);
});

test.each<[string, Partial<ClipSettings>, RegExp]>([
  [
    'an odd size',
    { format: { ...settings.format, width: 1922 } },
    /multiples of 4 for size but received 1922x1080/,
  ],
  ['no length', { seconds: 0 }, /at least two frames and at most 3600 s for clipLength but received 0/],
  ['a day', { seconds: 86400 }, /for clipLength but received 86400/],
  [
    'an unknown variant',
    { variant: 'hap_r' as 'hap' },
    /one of hap, hap_alpha, hap_q for variant but received hap_r/,
  ],
  ['no chunks', { chunks: 0 }, /from 1 to 64 for chunks but received 0/],
  ['too many chunks', { chunks: 65 }, /from 1 to 64 for chunks but received 65/],
])('%s is refused', (_, wrong, sentence) => {
  expect(() => checkSettings({ ...settings, ...wrong })).toThrow(sentence);
});
