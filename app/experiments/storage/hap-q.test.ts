import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../engine/content/manifest';
import { hapQNeed, hapQStreams } from './hap-q';

const manifest = () => readManifest(resolve('.'));

test('without a clip, the most that Hap Q needs: 1 byte per pixel, in whole blocks', () => {
  const need = hapQNeed({ format: '3840x2160@60' }, manifest);
  expect(need).toMatchObject({ format: '3840x2160@60', megabytesPerSecond: (3840 * 2160 * 60) / 1e6 });
  expect(hapQNeed({ format: '1278x718@30' }, manifest).megabytesPerSecond).toBe((1280 * 720 * 30) / 1e6);
});

test('with a clip, its measured bitrate in proportion to pixels and frame rate', () => {
  const flares = manifest().clips.find(({ name }) => name === 'flares')?.hapQ;
  const measured = flares && 'bitrateMbps' in flares ? flares.bitrateMbps / 8 : Number.NaN;
  const whole = hapQNeed({ format: '3840x2160@60', clip: 'flares' }, manifest);
  expect(whole.megabytesPerSecond).toBeCloseTo(measured, 6);
  expect(whole.assumption).toContain('the bitrate of flares, measured at 3840x2160@60');
  const quarter = hapQNeed({ format: '1920x1080@60', clip: 'flares' }, manifest);
  expect(quarter.megabytesPerSecond).toBeCloseTo(measured / 4, 6);
});

test('an unknown clip is refused with those that are known', () => {
  expect(() => hapQNeed({ format: '3840x2160@60', clip: 'fire' }, manifest)).toThrow(
    /Expected one of flares, .+ for clip but received fire/,
  );
});

test('movies are counted whole', () => {
  const need = { format: '', megabytesPerSecond: 500, assumption: '' };
  expect([hapQStreams(499, need), hapQStreams(500, need), hapQStreams(1499, need)]).toEqual([0, 1, 2]);
});
