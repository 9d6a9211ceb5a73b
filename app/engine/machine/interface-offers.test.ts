import { expect, test } from 'vitest';
import { interfaceOffers } from './interface-offers';

const address = (family: 'IPv4' | 'IPv6', text: string) =>
  family === 'IPv4'
    ? ({ family, address: text, netmask: '', mac: '', internal: false, cidr: null } as const)
    : ({ family, address: text, netmask: '', mac: '', internal: false, cidr: null, scopeid: 0 } as const);

test('interfaces come with address and speed: those that are up first, then the fastest', () => {
  const interfaces = [
    { name: 'eth10', state: 'up', speedMbps: 1000 },
    { name: 'eth2', state: 'up', speedMbps: 1000 },
    { name: 'eth3', state: 'down', speedMbps: 100_000 },
    { name: 'eth4', state: 'up', speedMbps: 10_000 },
    { name: 'lo', state: 'unknown', speedMbps: null },
  ];
  const addresses = {
    eth2: [address('IPv4', '192.0.2.2'), address('IPv6', 'fe80::1'), address('IPv4', '198.51.100.2')],
    lo: [address('IPv4', '127.0.0.1')],
  };
  expect(interfaceOffers(interfaces, addresses)).toEqual([
    { name: 'eth4', addresses: [], speedMbps: 10_000, isDown: false },
    { name: 'eth2', addresses: ['192.0.2.2', '198.51.100.2'], speedMbps: 1000, isDown: false },
    { name: 'eth10', addresses: [], speedMbps: 1000, isDown: false },
    { name: 'lo', addresses: ['127.0.0.1'], speedMbps: null, isDown: false },
    { name: 'eth3', addresses: [], speedMbps: 100_000, isDown: true },
  ]);
});

test('where only the system lists interfaces their speed is not known', () => {
  expect(interfaceOffers([], { Ethernet: [address('IPv4', '192.0.2.3')] })).toEqual([
    { name: 'Ethernet', addresses: ['192.0.2.3'], speedMbps: null, isDown: false },
  ]);
});
