import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { isAddressHere, leadsHere } from './leads-here';

const own = Object.values(networkInterfaces())
  .flat()
  .flatMap((entry) => (entry?.family === 'IPv4' && !entry.internal ? entry.address : []));

test.each<[string, boolean]>([
  ['http://127.0.0.1:8010', true],
  ['http://127.3.2.1:8010', true],
  ['http://localhost:8010', true],
  ['http://[::1]:8010', true],
  ...own.map((address): [string, boolean] => [`http://${address}`, true]),
  ['http://192.0.2.7:8010', false],
  ['http://nobody.invalid:8010', false],
])('%s leads to this machine: %s', async (url, isHere) => {
  expect(await leadsHere(url)).toBe(isHere);
});

test.each<[string, boolean]>([
  ...own.map((address): [string, boolean] => [address, true]),
  ...own.map((address): [string, boolean] => [`::ffff:${address}`, true]),
  ['127.0.1.1', true],
  ['0.0.0.0', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::1%lo', true],
  ['192.0.2.7', false],
  ['::ffff:192.0.2.7', false],
  ['2001:db8::7', false],
  ['fe80::1:2:3:4%lo', false],
])('%s is an address of this machine: %s', (address, isHere) => {
  expect(isAddressHere(address)).toBe(isHere);
});
