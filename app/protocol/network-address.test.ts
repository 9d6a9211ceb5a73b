import { expect, test } from 'vitest';
import { hostAndPortOf, hostOf } from './network-address';

test.each(['192.0.2.7', '::1', '2001:db8::7', 'render-pc', 'stage_1.example.org', '3com'])(
  '%s is a host',
  (text) => {
    expect(hostOf(text, 'from')).toBe(text);
  },
);

test.each([
  [
    '300.1.1.1',
    /^Expected an IPv4 address of four numbers from 0 to 255 for from but received 300\.1\.1\.1$/,
  ],
  ['1.2.3', /an IPv4 address/],
  ['::1::2', /an IPv6 address/],
  ['192.0.2.7:5961', /a host without brackets and port/],
  ['[::1]', /a host without brackets and port for/],
  ['[::1]:5961', /a host without brackets and port/],
  ['127.0.0.1:-1', /a host without brackets and port/],
  ['http://x/', /a host, and no URL or path/],
  [
    'fe80::1%lo',
    /an IPv6 address without a zone, which is what follows %, for from but received fe80::1%lo$/,
  ],
  ['a host', /the name or address of a host/],
  ['-f', /the name or address of a host/],
  ['', /the name or address of a host for from but received nothing/],
  ['x'.repeat(254), /the name or address of a host/],
])('%s is no host', (text, message) => {
  expect(() => hostOf(text, 'from')).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringMatching(message) }),
  );
});

test.each([
  ['192.0.2.7:5961', '192.0.2.7', 5961],
  ['render-pc:1', 'render-pc', 1],
  ['[2001:db8::7]:65535', '2001:db8::7', 65_535],
])('%s is a host with its port', (text, host, port) => {
  expect(hostAndPortOf(text, 'address')).toEqual({ host, port });
});

test.each([
  ['192.0.2.7', /a host with its port for address/],
  ['192.0.2.7:', /a host with its port/],
  ['2001:db8::7', /a host with its port/],
  ['192.0.2.7:0', /a port from 1 to 65535 behind the host/],
  ['192.0.2.7:65536', /a port from 1 to 65535/],
  ['192.0.2.7:http', /a port from 1 to 65535/],
  ['300.1.1.1:5961', /an IPv4 address of four numbers/],
  [':5961', /the name or address of a host/],
])('%s is no host with its port', (text, message) => {
  expect(() => hostAndPortOf(text, 'address')).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringMatching(message) }),
  );
});
