import { expect, test } from 'vitest';
import { compareVersions, TaiStamps, taiOf, taiText } from './tai';

test('a timestamp is read as it is written (IS-04 Common Keys, Version)', () => {
  expect(taiOf('1439299836:10')).toBe(1_439_299_836_000_000_010n);
  expect(taiText(1_439_299_836_000_000_010n)).toBe('1439299836:10');
  for (const text of ['', '1', '1:', ':1', '-1:0', '1:0000000001', '1.0', '1:1 ', '1:1\n'])
    expect(taiOf(text)).toBeNull();
});

test('versions are compared as numbers, seconds first', () => {
  expect(compareVersions('9:0', '10:0')).toBeLessThan(0);
  expect(compareVersions('10:5', '10:40')).toBeLessThan(0);
  expect(compareVersions('010:5', '10:05')).toBe(0);
  expect(compareVersions(`1${'0'.repeat(40)}:0`, `${'9'.repeat(40)}:9`)).toBeGreaterThan(0);
});

test('stamps only go up, whatever the clock does', () => {
  let wallMs = 5000;
  const stamps = new TaiStamps({ wallMs: () => wallMs });
  const first = stamps.next();
  expect(taiText(first)).toBe('42:0');
  wallMs = 0;
  expect(stamps.next()).toBe(first + 1n);
  stamps.observe(first + 100n);
  expect(stamps.next()).toBe(first + 101n);
});

test.each([
  [0, 37],
  [5999, 42],
  [1_700_000_000_000, 1_700_000_037],
])('at %i ms of UTC it is second %i of TAI', (wallMs, seconds) => {
  expect(new TaiStamps({ wallMs: () => wallMs }).seconds()).toBe(seconds);
});
