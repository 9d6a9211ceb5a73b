import { expect, test } from 'vitest';
import { clockText } from './machine-words';

test.each<[Parameters<typeof clockText>, string]>([
  [
    ['synchronised', 'NTP (chrony)', -12, 'stratum 3'],
    'synchronised by NTP (chrony), 12 µs behind (stratum 3)',
  ],
  [['synchronised', 'PTP (ptp4l)', 0.5, 'x'], 'synchronised by PTP (ptp4l), 0.5 µs ahead (x)'],
  [['unknown', '', null, 'no tool'], 'unknown (no tool)'],
])('a clock %j', (clock, words) => {
  expect(clockText(...clock)).toBe(words);
});
