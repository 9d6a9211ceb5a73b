import { expect, test } from 'vitest';
import { expectedSecondsOf } from './find';

test('how long a run takes follows from its parameters; where it cannot, nothing is said', () => {
  expect(expectedSecondsOf('storage', { repeats: 2, holdSeconds: 3, tests: ['SEQ1M-Q1T1'] })).toBe(12);
  expect(expectedSecondsOf('link', { protocols: ['tcp'], repeats: 5, holdSeconds: 9 })).toBe(100);
  expect(expectedSecondsOf('stream-load', { maxStreams: 2, holdSeconds: 10, warmUpSeconds: 2 })).toBe(37);
  expect(expectedSecondsOf('storage', { repeats: 'two' })).toBeNull();
  expect(expectedSecondsOf('codec-quality', {})).toBeNull();
  const quality = { sources: ['white-line', 'noise'], crops: ['330x198', '640x360'] };
  expect(expectedSecondsOf('codec-quality', { ...quality, holdSeconds: 10, warmUpSeconds: 2 })).toBe(96);
  expect(expectedSecondsOf('unknown', {})).toBeNull();
});
