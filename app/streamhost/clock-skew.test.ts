import { expect, test } from 'vitest';
import { clockSkewOf } from './clock-skew';

const skewOf = (text: string | undefined): unknown => clockSkewOf({ WHITELINE_CLOCK_SKEW: text });

test.each([
  ['37ms,20ppm', 37, 20],
  ['-0.5ms,-12.25ppm', -0.5, -12.25],
  ['0ms,0ppm', 0, 0],
  ['86400000ms,100000ppm', 86_400_000, 100_000],
])('%s', (text, offsetMs, partsPerMillion) => {
  expect(skewOf(text)).toEqual({ offsetMs, partsPerMillion });
});

test('a window that asks for no other clock gets none', () => {
  expect(skewOf(undefined)).toBeNull();
});

test.each([
  '',
  '37ms',
  '20ppm',
  '37,20',
  '20ppm,37ms',
  '37ms, 20ppm',
  '37ms,20ppm ',
  '37s,20ppm',
  '1e3ms,20ppm',
  'NaNms,0ppm',
  '--1ms,0ppm',
  '.5ms,0ppm',
  '86400001ms,0ppm',
  '0ms,100001ppm',
])('“%s” is refused, and the refusal says why', (text) => {
  expect(() => skewOf(text)).toThrow(
    /^Expected an offset and a rate like "37ms,20ppm".+WHITELINE_CLOCK_SKEW/,
  );
});
