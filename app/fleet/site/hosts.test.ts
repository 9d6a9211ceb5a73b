import { expect, test } from 'vitest';
import { certifiedHosts, reachedAt } from './hosts';

const machine = { hostName: 'Render-PC', addresses: ['192.0.2.7', '198.51.100.7', '2001:db8::7'] };

test.each([
  ['0.0.0.0', ['192.0.2.7', '198.51.100.7']],
  ['::', ['192.0.2.7', '198.51.100.7', '2001:db8::7']],
  ['198.51.100.7', ['198.51.100.7']],
])('a server that listens on %s is reached at %j', (listen, addresses) => {
  expect(reachedAt(listen, machine)).toEqual(addresses);
});

test('a machine without a network is reached by itself alone', () => {
  expect(reachedAt('0.0.0.0', { hostName: 'a', addresses: [] })).toEqual(['127.0.0.1']);
});

test('the certificate has each name and address once, however it was written', () => {
  const further = ['RENDER-pc.example.org.', '2001:DB8:0::9', '192.0.2.7'];
  expect(certifiedHosts('0.0.0.0', machine, further)).toEqual([
    ...['127.0.0.1', '192.0.2.7', '198.51.100.7', '2001:db8::9'],
    ...['localhost', 'render-pc', 'render-pc.example.org'],
  ]);
});

test('a host name that no certificate can have is left out', () => {
  const odd = { hostName: 'render pc!', addresses: [] };
  expect(certifiedHosts('192.0.2.7', odd, [])).toEqual(['127.0.0.1', '192.0.2.7', 'localhost']);
});
