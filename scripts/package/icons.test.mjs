import { expect, test } from 'vitest';
import { macIcon, windowsIcon } from './icons.mjs';

const small = Buffer.from('small');
const large = Buffer.from('larger');

test('an ICO says of each picture how large it is and where it lies', () => {
  const icon = windowsIcon([
    [16, small],
    [256, large],
  ]);
  expect([icon.readUInt16LE(0), icon.readUInt16LE(2), icon.readUInt16LE(4)]).toEqual([0, 1, 2]);
  const entries = [6, 22].map((at) => ({
    width: icon.readUInt8(at),
    picture: icon.subarray(
      icon.readUInt32LE(at + 12),
      icon.readUInt32LE(at + 12) + icon.readUInt32LE(at + 8),
    ),
  }));
  // 256 does not fit into its byte and is written as 0.
  expect(entries).toEqual([
    { width: 16, picture: small },
    { width: 0, picture: large },
  ]);
});

test('an ICNS is a row of pictures, each behind its type and length', () => {
  const icon = macIcon([
    ['icp4', small],
    ['ic08', large],
  ]);
  expect(icon.toString('latin1', 0, 4)).toBe('icns');
  expect(icon.readUInt32BE(4)).toBe(icon.length);
  expect(icon.toString('latin1', 8, 12)).toBe('icp4');
  expect(icon.readUInt32BE(12)).toBe(8 + small.length);
  expect(icon.subarray(16, 16 + small.length)).toEqual(small);
  expect(icon.toString('latin1', 16 + small.length, 20 + small.length)).toBe('ic08');
});
