import { expect, test } from 'vitest';
import { type FindHost, senderPlaceOf } from './found-host';

const nowhere: FindHost = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
const there: FindHost = () => Promise.resolve();

test.each([
  ['192.0.2.7', '192.0.2.7', false],
  ['192.0.2.7:5961', '192.0.2.7', true],
  ['render-pc', 'render-pc', false],
  ['render-pc:5961', 'render-pc', true],
  ['2001:db8::7', '2001:db8::7', false],
  ['[2001:db8::7]:5961', '2001:db8::7', true],
])('%s is a place of senders', async (text, host, hasPort) => {
  expect(await senderPlaceOf(text, there)).toEqual({ host, hasPort });
});

test.each([
  ['300.1.1.1', 'an IPv4 address of four numbers from 0 to 255'],
  ['300.1.1.1:5961', 'an IPv4 address of four numbers from 0 to 255'],
  ['render-pc:', 'a host with its port'],
  ['render-pc:0', 'a port from 1 to 65535 behind the host'],
  ['render-pc:ndi', 'a port from 1 to 65535 behind the host'],
  ['nonsense:5961', 'a host that can be found (nonsense: ENOTFOUND)'],
  ['nonsense', 'a host that can be found (nonsense: ENOTFOUND)'],
  ['http://render-pc', 'a host, and no URL or path,'],
  ['', 'the name or address of a host'],
])('%j is refused at once, and says what is wrong', async (text, expected) => {
  await expect(senderPlaceOf(text, nowhere)).rejects.toMatchObject({
    code: 'BAD_INPUT',
    field: 'address',
    message: expect.stringContaining(`Expected ${expected} for address`),
    remedy: expect.stringMatching(/./),
  });
});

test('an address is not looked up', async () => {
  expect(await senderPlaceOf('192.0.2.7:5961', nowhere)).toEqual({ host: '192.0.2.7', hasPort: true });
});
