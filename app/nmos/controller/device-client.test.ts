import { isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { answering } from '../../testing/nmos-hostile';
import { DeviceClient } from './device-client';
import { RestClient } from './rest-client';

let rest: RestClient;

/** Of this machine, neither of loopback nor of a link alone. */
function addresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries = []) => entries)
    .filter(({ internal, address }) => !internal && !/^(169\.254|fe80)/i.test(address))
    .map(({ address }) => address);
}

beforeEach(() => {
  rest = new RestClient();
  onTestFinished(() => rest.close());
});

test.each([
  'http://127.0.0.1:1/secret',
  'http://127.9.9.9:1/',
  'http://2130706433:1/',
  'http://[::1]:1/',
  'http://[::ffff:127.0.0.1]:1/',
  'http://0.0.0.0:1/',
  'http://[::]:1/',
  'http://localhost:1/',
  'http://169.254.169.254/',
  'http://[fe80::1]/',
])('%s is not asked for a registry elsewhere', async (url) => {
  const devices = new DeviceClient(rest, 'http://192.0.2.7:8010');
  await expect(devices.ask({ method: 'GET', url })).rejects.toMatchObject({
    ...{ code: 'NOT_FOUND', message: expect.stringContaining('this is a loopback or link-local address') },
    remedy: expect.stringMatching(/./),
  });
});

test('a registry at an address or name of this machine may name its loopback, and no other link-local address', async () => {
  const url = await answering(() => ({ body: [] }));
  for (const host of [hostname(), `${hostname()}.local`, ...addresses()]) {
    const devices = new DeviceClient(rest, `http://${isIPv6(host) ? `[${host}]` : host}:8010`);
    expect(await devices.ask({ method: 'GET', url }), host).toMatchObject({ status: 200 });
    await expect(devices.ask({ method: 'GET', url: 'http://169.254.1.1/' }), host).rejects.toThrow(
      /Refused to ask/,
    );
  }
});

test('a registry of this machine names devices of this machine', async () => {
  const url = await answering(() => ({ body: ['there'] }));
  const devices = new DeviceClient(rest, 'http://localhost:8010');
  expect(await devices.ask({ method: 'GET', url })).toMatchObject({ status: 200, body: ['there'] });
});

test('a name is refused for the address that it has, before it is connected to', async () => {
  let requests = 0;
  const origin = await answering(() => {
    requests += 1;
    return {};
  });
  const url = origin.replace('127.0.0.1', 'localhost');
  const refusal = (address: string): string | null => (address === '' ? null : 'not this one');
  await expect(rest.ask({ method: 'GET', url, refusal })).rejects.toThrow('does not answer: not this one');
  expect(requests).toBe(0);
});
