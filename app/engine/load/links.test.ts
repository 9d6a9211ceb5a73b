import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { MachineChange } from '../../protocol/load';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { LinkReader, linkOf } from './links';

const folder = temporaryFolder();
const clock = new SimulatedClock();
let reader: LinkReader | null = null;
afterEach(() => reader?.close());

test.each([
  ['1000', 'up', { linkMbps: 1000, notMeasured: {} }],
  ['-1', 'up', { linkMbps: null, notMeasured: { linkMbps: 'its driver reports no speed' } }],
  ['65535', 'unknown', { linkMbps: null, notMeasured: { linkMbps: 'its driver reports no speed' } }],
  ['4294967295', 'up', { linkMbps: null, notMeasured: { linkMbps: 'its driver reports no speed' } }],
  ['0', 'up', { linkMbps: null, notMeasured: { linkMbps: 'its driver reports no speed' } }],
  ['', 'up', { linkMbps: null, notMeasured: { linkMbps: 'its driver reports no speed' } }],
  ['-1', 'down', { linkMbps: null, notMeasured: { linkMbps: 'the link is down' } }],
])('a speed of “%s” of a link that is %s', (speed, state, expected) => {
  expect(linkOf('eth0', speed, state, '1500')).toEqual({ mtuBytes: 1500, ...expected });
});

test('loopback has an MTU, but no speed; an MTU that is not reported is not made up', () => {
  const notMeasured = { linkMbps: 'loopback has no link' };
  expect(linkOf('lo', '', 'unknown', '65536')).toEqual({ linkMbps: null, mtuBytes: 65536, notMeasured });
  expect(linkOf('tun0', '10', 'unknown', '65535').mtuBytes).toBe(65535);
  expect(linkOf('eth0', '10', 'up', '')).toMatchObject({
    mtuBytes: null,
    notMeasured: { mtuBytes: 'the system does not report it' },
  });
});

/** A folder like /sys/class/net, with an interface in it. */
function tree(name: string): { root: string; set: (file: string, text: string) => void } {
  const root = join(folder, name, 'net');
  const device = join(folder, name, 'devices', 'eth0');
  mkdirSync(root, { recursive: true });
  mkdirSync(device, { recursive: true });
  symlinkSync(device, join(root, 'eth0'));
  writeFileSync(join(root, 'bonding_masters'), '');
  const set = (file: string, text: string): void => writeFileSync(join(device, file), text);
  set('speed', '2500\n');
  set('operstate', 'up\n');
  set('mtu', '9000\n');
  return { root, set };
}

const waiting = { interval: 10 };

/** It is read twice a second; reading itself takes real time. */
function whenReadAgain(expectation: () => void): Promise<void> {
  return vi.waitFor(async () => {
    await clock.pass(500);
    expectation();
  }, waiting);
}

test('speed and MTU are read, and again when they change', async () => {
  const { root, set } = tree('changing');
  reader = new LinkReader(clock, root);
  const now = () => reader?.linksOf(['eth0'])('eth0');
  expect(now()?.notMeasured.linkMbps).toBe('not read yet');
  await vi.waitFor(() => expect(now()).toEqual({ linkMbps: 2500, mtuBytes: 9000, notMeasured: {} }), waiting);
  set('speed', '100\n');
  await whenReadAgain(() => expect(now()).toMatchObject({ linkMbps: 100 }));
});

test('an MTU that changes is a change of the machine, reported once, and of our own interfaces alone', async () => {
  const { root, set } = tree('mtu');
  reader = new LinkReader(clock, root);
  const seen: MachineChange[] = [];
  const look = (names: string[]) => seen.push(...(reader?.takeChanges(names) ?? []));
  await vi.waitFor(() => expect(reader?.linksOf(['eth0'])('eth0').mtuBytes).toBe(9000), waiting);
  expect(look(['eth0'])).toBe(0);
  set('mtu', '600\n');
  await whenReadAgain(() => expect(look(['eth0'])).toBe(1));
  expect(seen).toEqual([
    {
      ...{ atNs: expect.any(Number), code: 'mtu-changed' },
      data: { name: 'eth0', fromBytes: 9000, toBytes: 600 },
    },
  ]);
  set('mtu', '1500\n');
  await whenReadAgain(() => expect(reader?.linksOf(['eth0'])('eth0').mtuBytes).toBe(1500));
  expect(look(['veth1'])).toBe(1);
});

test('interfaces of another network namespace say nothing about those that are counted', async () => {
  reader = new LinkReader(clock, tree('foreign').root);
  await vi.waitFor(() => expect(reader?.linksOf(['eth0'])('eth0').linkMbps).toBe(2500), waiting);
  for (const names of [['eth0', 'veth1'], ['veth1'], []])
    expect(reader.linksOf(names)('eth0')).toMatchObject({
      linkMbps: null,
      notMeasured: { linkMbps: expect.stringMatching(/not those of this network namespace/) },
    });
});

test('a system without such a folder says so', async () => {
  reader = new LinkReader(clock, join(folder, 'absent'));
  await vi.waitFor(
    () => expect(reader?.linksOf(['eth0'])('eth0').notMeasured.mtuBytes).toMatch(/absent or empty/),
    waiting,
  );
});

test('a folder that could not be read is not absent', async () => {
  reader = new LinkReader(clock, join(folder, 'absent'), async () => {
    throw Object.assign(new Error('no'), { code: 'EMFILE' });
  });
  await vi.waitFor(
    () =>
      expect(reader?.linksOf(['eth0'])('eth0').notMeasured.linkMbps).toMatch(/no file descriptor is left/),
    waiting,
  );
});
