import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findAddon } from '../../addon/index';
import { addon } from './addon_fixture';

test.runIf(process.platform === 'linux')(
  'loopback tells its MTU and its offloads, and why it tells no more',
  () => {
    const facts = addon.networkInterfaceFacts('lo');
    expect(facts?.mtuBytes).toBe(Number(readFileSync('/sys/class/net/lo/mtu', 'latin1')));
    expect(facts?.offloads).toMatchObject({ loopback: true, 'rx-gro': expect.any(Boolean) });
    expect(facts).toMatchObject({ link: null, eee: null });
    expect(facts?.notKnown).toMatchObject({
      link: 'the driver does not report it',
      eee: 'the driver does not report it',
    });
  },
);

// An own namespace needs root, as those of e2e/network do.
test.runIf(process.platform === 'linux')('a virtual cable tells its driver, its speed and its clocks', () => {
  const cable = 'ip link add one type veth peer name two && ip link set one up && ip link set two up';
  const code = `const addon = { exports: {} };
    process.dlopen(addon, ${JSON.stringify(findAddon())});
    console.log(JSON.stringify(addon.exports.networkInterfaceFacts('one')));`;
  const shell = ['sh', '-c', `${cable} && exec "$0" -e "$1"`, process.execPath, code];
  const facts: unknown = JSON.parse(execFileSync('unshare', ['--net', ...shell], { encoding: 'utf8' }));
  expect(facts).toMatchObject({
    driver: { name: 'veth', version: expect.stringMatching(/\d/), firmware: '', bus: '' },
    link: { speedMbps: 10_000, fullDuplex: true, autonegotiation: false },
    clock: { stampsTransmitted: false, stampsReceived: false, ptp: null },
  });
});

test.runIf(process.platform === 'linux')('a name that no interface has is refused', () => {
  for (const name of ['', 'no-such-card', 'x'.repeat(200)]) {
    const code = (() => {
      try {
        addon.networkInterfaceFacts(name);
        return 'none';
      } catch (error) {
        return (error as { code?: string }).code;
      }
    })();
    expect(code, name).toBe('NOT_FOUND');
  }
});

test('what is no name is refused', () => {
  const refused = expect.objectContaining({ code: 'INVALID_ARGUMENT' });
  for (const name of [undefined, null, 3, {}]) {
    expect(() => addon.networkInterfaceFacts(name as unknown as string)).toThrow(refused);
  }
});
