import { expect, test } from 'vitest';
import { findManifest } from '../../engine/content/find-manifest';
import { casesOf, clipFrames, spread, wantedClips } from './cases';
import { codecQualityParameters } from './declaration';

const manifest = findManifest();
const movie = { width: 640, height: 360, rate: { numerator: 25, denominator: 1 } };
const formats = new Map([['a.mov', movie]]);

function parameters(input: Record<string, unknown>) {
  return codecQualityParameters.parse(input);
}

function names(input: Record<string, unknown>): string[] {
  return casesOf(parameters(input), manifest, formats).map(({ name }) => name);
}

test('by default all clips of the battery, with the study’s crop', () => {
  const cases = casesOf(parameters({}), manifest, formats);
  expect(cases).toHaveLength(2 * manifest.clips.length);
  expect(cases[1]?.name).toBe('flares 1920x1080@60, its middle 330x198');
  expect(cases[1]?.crop).toEqual({ width: 330, height: 198 });
  expect(cases[1]?.source).toBe(cases[0]?.source);
});

test('sources alone leave the battery out; a generated one has the sizes, a movie its own', () => {
  const input = { sources: ['noise', 'a.mov'], sizes: ['640x360', '320x180'], rate: '30' };
  expect(names(input)).toEqual([
    'noise 640x360@30',
    'noise 320x180@30',
    'a.mov 640x360@25',
    'a.mov 640x360@25, its middle 330x198',
  ]);
  expect(names({ ...input, clips: ['black'], crops: [] })).toEqual([
    'black 640x360@30',
    'black 320x180@30',
    'noise 640x360@30',
    'noise 320x180@30',
    'a.mov 640x360@25',
  ]);
});

test.each([
  [{ clips: ['snow'] }, /Expected names out of flares, noise.+ for clips but received snow/],
  [
    { clips: ['black'], sizes: ['640x360'], crops: ['642x200'] },
    /at most 640x360, .+ for crops but received 642x200/,
  ],
  [{ clips: ['black'], sizes: ['642x360'] }, /multiples of 4 for size but received 642x360/],
  [{ sources: ['a.mov'], crops: ['640x362'] }, /for crops but received 640x362/],
])('%j is refused', (input, message) => {
  expect(() => names(input)).toThrow(message);
});

test.each([
  [{ crops: ['20x20'] }, /crops/],
  [{ sizes: ['large'] }, /WIDTHxHEIGHT/],
  [{ sources: [''] }, /white-line, noise or the path/],
  [{ frames: 0 }, /frames/],
  [{ rate: '0' }, /rate/],
])('the parameters %j are refused', (input, message) => {
  expect(() => parameters(input)).toThrow(message);
});

test('frames are spread over the whole range, each once', () => {
  expect(spread(100, 10, 2)).toEqual([102, 107]);
  expect(spread(5, 3, 20)).toEqual([5, 6, 7]);
  expect(spread(0, 0, 4)).toEqual([]);
  expect(new Set(spread(7, 599, 500)).size).toBe(500);
});

test('frames of a clip are within the clip', () => {
  const wanted = parameters({ clips: ['black'], clipLengthSeconds: 0.5, rate: '30' });
  const [one] = casesOf(wanted, manifest, formats);
  if (!one?.clip) throw new Error('it is a clip');
  expect(clipFrames(one.clip, 20)).toEqual(Array.from({ length: 15 }, (_, index) => index));
  expect(wantedClips(wanted, manifest).map(({ name }) => name)).toEqual(['black']);
});
