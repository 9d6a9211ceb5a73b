import { expect, test } from 'vitest';
import { addressesOf, networkCards } from './network-cards';

const entry = (address: string, family: 'IPv4' | 'IPv6', internal = false) =>
  ({ address, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }) as never;

const cards = networkCards({
  lo: [entry('127.0.0.1', 'IPv4', true)],
  eth0: [entry('192.0.2.7', 'IPv4'), entry('fe80::1', 'IPv6'), entry('192.0.2.8', 'IPv4')],
  eth1: [entry('fe80::2', 'IPv6')],
});

test('a card is one that leads somewhere, with the addresses that NDI takes', () => {
  expect(cards).toEqual([{ name: 'eth0', addresses: ['192.0.2.7', '192.0.2.8'] }]);
  expect(addressesOf('eth0', 'interface', cards)).toEqual(['192.0.2.7', '192.0.2.8']);
});

test('one that is not there is refused with those that are', () => {
  expect(() => addressesOf('eth1', 'interface', cards)).toThrow(
    'Expected a network interface with an IPv4 address (eth0) for interface but received eth1',
  );
  expect(() => addressesOf('eth1', 'interface', [])).toThrow('(none has an address)');
});
