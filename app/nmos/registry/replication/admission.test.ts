import { expect, test } from 'vitest';
import { leaving, PeerHost } from './admission';

test.each([
  ['192.0.2.8', '192.0.2.8', true],
  ['192.0.2.8', '::ffff:192.0.2.8', true],
  ['[2001:db8::1]', '2001:db8::1', true],
  ['192.0.2.8', '192.0.2.9', false],
  ['no-such-host.invalid', '192.0.2.8', false],
])('a peer at %s has the address %s: %s', (host, address, isThere) => {
  expect(new PeerHost(host).has(address)).toBe(isThere);
});

test('a peer that is named is known by the addresses of its name', async () => {
  const peer = new PeerHost('localhost');
  await peer.look();
  expect([peer.has('127.0.0.1') || peer.has('::1'), peer.isLoopback]).toEqual([true, true]);
});

const from = (instance: string, address = '192.0.2.8'): { address: string; instance: string } => ({
  ...{ address, instance },
});
const isPeer = (instance: string): boolean => instance.startsWith('peer');

test.each([
  ['where there is room, none', [from('a', '192.0.2.9')], from('new'), null],
  ['its own earlier connection', [from('x'), from('new')], from('new'), 1],
  ['the oldest that is not followed', [from('peer'), from('a'), from('b')], from('new'), 1],
  ['the oldest where all are followed, the newcomer too', [from('peer'), from('peer 2')], from('peer 3'), 0],
])('for a newcomer leaves: %s', (_, connected, newcomer, index) => {
  expect(leaving(connected, newcomer, 1, isPeer)).toBe(index === null ? null : connected[index]);
});

test('a newcomer that is not followed does not drive out a peer', () => {
  expect(() => leaving([from('peer')], from('new'), 1, isPeer)).toThrow(
    'all places for registries at 192.0.2.8 are taken by peers of the one that was asked',
  );
});
