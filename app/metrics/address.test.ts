import { expect, test } from 'vitest';
import { metricsAddressOf } from './address';

test.each([
  ['9464', '127.0.0.1', 9464],
  ['0', '127.0.0.1', 0],
  ['192.0.2.7:9464', '192.0.2.7', 9464],
  ['0.0.0.0:9464', '0.0.0.0', 9464],
  ['[::1]:9464', '::1', 9464],
  ['render-1:9464', 'render-1', 9464],
])('%s is port and address', (text, host, port) => {
  expect(metricsAddressOf(text, 'metrics')).toEqual({ host, port });
});

test.each([
  ['70000', 'a port from 0 to 65535'],
  ['123456', 'a port from 0 to 65535'],
  ['-1', 'a host with its port'],
  ['', 'a host with its port'],
  ['render-1', 'a host with its port'],
  ['192.0.2.7:', 'a host with its port'],
  ['192.0.2.7:0', 'a port from 1 to 65535 behind the host'],
  ['192.0.2.700:9464', 'an IPv4 address'],
  ['http://a:9464', 'a host with its port'],
])('%j is refused', (text, words) => {
  expect(() => metricsAddressOf(text, 'metrics')).toThrow(words);
});
