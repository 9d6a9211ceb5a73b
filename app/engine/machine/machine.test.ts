import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type HostEnvironment, hostEnvironmentSchema } from '../../protocol/environment';
import type { NetworkInterfaceFacts } from '../../protocol/network-interface';
import type { ThreadPolicyFacts } from '../../protocol/thread-policy';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { NativeHost } from '../capabilities/native-host';
import { readMainboard } from './board';
import { fingerprintClip, fingerprintClips } from './clip-fingerprint';
import { discoveryServersOf, ndiConfigurationPath, readNdiConfiguration } from './ndi-configuration';
import { EnvironmentReader, environmentMessages } from './packed-environment';
import { pcieMbps, readPcie } from './pcie';
import { readMachine } from './read-machine';
import { threadPolicyText } from './thread-policy';

const folder = temporaryFolder();
const ours = { whiteline: '0.1.0', ndi: 'NDI 6' };

const thread = { realTimePriority: 0, nice: 0, timerSlackNs: 1, sliceNs: 100_000, core: null };
const threadPolicy: ThreadPolicyFacts = {
  threads: { pacing: thread, sending: thread, receiving: thread, background: { ...thread, nice: 5 } },
  memoryIsLocked: false,
  refused: { realTime: 'Operation not permitted' },
};

/** One whose drivers say that much and no more. */
const host: NativeHost = {
  request: async ({ name }) => (name === 'threadPolicy' ? threadPolicy : card),
};
const card: NetworkInterfaceFacts = {
  mtuBytes: 9000,
  driver: { name: 'ixgbe', version: '5.1', firmware: '', bus: '0000:01:00.0' },
  link: { speedMbps: 10_000, fullDuplex: true, autonegotiation: true },
  eee: { enabled: true, active: false },
  clock: null,
  offloads: {},
  notKnown: { clock: 'the driver does not report it' },
};

test('this machine is reported by the schema, and what is null has its reason', async () => {
  const machine = await readMachine(host, ours);
  expect(hostEnvironmentSchema.parse(machine)).toEqual(machine);
  expect(machine.versions).toMatchObject({ ...ours, node: process.versions.node });
  for (const name of ['mainboard', 'memoryModules', 'drives', 'gpus', 'displays', 'switches'] as const) {
    if (machine[name] === null) expect(machine.notKnown[name], name).toMatch(/\w/);
    else expect(machine.notKnown[name], name).toBeUndefined();
  }
  expect(machine.interfaces.length).toBeGreaterThan(0);
  for (const card of machine.interfaces) {
    expect(card).toMatchObject({ mtuBytes: 9000, speedMbps: 10_000, duplex: 'full', driver: 'ixgbe' });
    expect(card).toMatchObject({ firmware: null, eee: 'on' });
  }
});

test('the policy of our threads is reported as the host has it, with what was refused', async () => {
  expect((await readMachine(host, ours)).threadPolicy).toEqual(threadPolicy);
  const { threadPolicy: alone, notKnown } = await readMachine(null, ours);
  expect(alone).toBeNull();
  expect(notKnown.threadPolicy).toBe('no host was there to ask');
});

test('a machine whose Whiteline knows no thread policy is a machine', async () => {
  const { threadPolicy: _, ...older } = await readMachine(null, ours);
  expect(hostEnvironmentSchema.parse(older)).toEqual({ ...older, threadPolicy: null });
});

test('a thread policy in one sentence', () => {
  expect(threadPolicyText(threadPolicy)).toBe(
    'pacing: timer slack 1 ns, slice 0.1 ms; background: nice 5; realTime refused: Operation not permitted',
  );
  const pacing = { ...thread, realTimePriority: 1, timerSlackNs: 0, sliceNs: null, core: 3 };
  const threads = { ...threadPolicy.threads, pacing };
  expect(threadPolicyText({ threads, memoryIsLocked: true, refused: {} })).toBe(
    'pacing: real-time priority 1, timer slack 0 ns, on core 3; background: nice 5; memory locked',
  );
});

test('drivers that no one can ask, and a host that fails, are reasons and no errors', async () => {
  const failing: NativeHost = { request: () => Promise.reject(new Error('the host is gone')) };
  const [alone] = (await readMachine(null, ours)).interfaces;
  expect(alone).toMatchObject({ driver: null, notKnown: { driver: 'no host was there to ask it' } });
  const [failed] = (await readMachine(failing, ours)).interfaces;
  expect(failed).toMatchObject({ speedMbps: null, notKnown: { driver: 'the host is gone' } });
});

test('a machine arrives at the other end as it was sent, in whatever order its parts come', async () => {
  const machine = await readMachine(host, ours);
  const [one] = environmentMessages(machine);
  expect(new EnvironmentReader().add(one ?? '')).toEqual({ host: machine, isNew: true });
  // Words that cannot be packed, so that it takes several messages.
  const noise =
    randomBytes(15_000)
      .toString('base64')
      .match(/.{1,300}/g) ?? [];
  const large: HostEnvironment = {
    ...machine,
    notKnown: Object.fromEntries(noise.map((text, index) => [String(index), text])),
  };
  const messages = environmentMessages(large);
  expect(messages.length).toBeGreaterThan(1);
  expect(Math.max(...messages.map((message) => message.length))).toBeLessThan(16_384);
  const reader = new EnvironmentReader();
  const answers = [...messages].reverse().map((message) => reader.add(message));
  expect(answers.at(-1)).toEqual({ host: large, isNew: true });
  expect(answers.slice(0, -1).every((answer) => answer === null)).toBe(true);
  // Another stream of that machine, or a sender that was started again, has it too.
  for (const message of messages) expect(reader.add(message)).toEqual({ host: large, isNew: false });
});

test('foreign bytes are no machine', async () => {
  const reader = new EnvironmentReader();
  const part = (id: string, of: string, text: string) =>
    `<whiteline_environment version="1" id="${id}" ${of} text="${text}"/>`;
  const whole = 'part="1" parts="1"';
  const bad = [
    ...['', '<ndi_tally/>', part('0123456789abcdef', 'part="2" parts="1"', 'AAAA')],
    ...[part('0123456789abcdef', 'part="1" parts="99"', 'AAAA'), part('xyz', whole, 'AAAA')],
    ...[part('0123456789abcde0', whole, 'AAAA'), part('0123456789abcde1', whole, '"/><a b="')],
  ];
  for (const xml of bad) expect(reader.add(xml), xml).toBeNull();
  const [good = ''] = environmentMessages(await readMachine(null, ours));
  expect(new EnvironmentReader().add(good.replace('parts="1"', 'parts="2"'))).toBeNull();
  expect(new EnvironmentReader().add(good.slice(0, -9) + good.slice(-8))).toBeNull();
});

test('no more machines are kept than anybody has', async () => {
  const reader = new EnvironmentReader();
  for (let number = 0; number < 100; number++) {
    const id = number.toString(16).padStart(16, '0');
    reader.add(`<whiteline_environment version="1" id="${id}" part="1" parts="2" text="AAAA"/>`);
  }
  const [good = ''] = environmentMessages(await readMachine(null, ours));
  expect(reader.add(good)).toBeNull();
});

test('a clip’s hash is that of sha256sum; of a large one the ends are hashed alone', async () => {
  const small = join(folder, 'small.mov');
  const bytes = randomBytes(3 * 1024 * 1024);
  writeFileSync(small, bytes);
  const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
  const mib = 1024 * 1024;
  const clip = await fingerprintClip(small);
  expect(clip).toMatchObject({ bytes: bytes.length, sha256: sha256(bytes), notKnown: {} });
  expect(clip.sha256OfEnds).toBe(sha256(Buffer.concat([bytes.subarray(0, mib), bytes.subarray(-mib)])));
  const large = join(folder, 'large.mov');
  writeFileSync(large, Buffer.alloc(65 * mib));
  expect(await fingerprintClip(large)).toMatchObject({
    sha256: null,
    sha256OfEnds: sha256(Buffer.alloc(2 * mib)),
    notKnown: { sha256: expect.stringMatching(/68 MB/) },
  });
  const clips = await fingerprintClips({
    source: { path: small },
    sources: [{ kind: 'noise' }, { path: '/gone' }],
  });
  expect(clips).toEqual({ clips: { [small]: clip } });
  expect(await fingerprintClips({ source: { kind: 'noise' } })).toEqual({});
});

test('NDI’s settings are found, hashed and read; broken ones keep their hash', () => {
  const settings = join(folder, 'ndi');
  mkdirSync(settings);
  const path = ndiConfigurationPath({ NDI_CONFIG_DIR: settings });
  expect(() => readNdiConfiguration(path)).toThrow(/NDI’s own settings are in force/);
  const text = '{"ndi": {"networks": {"discovery": "10.0.0.5, 10.0.0.6:5960"}}}';
  writeFileSync(path, text);
  const read = readNdiConfiguration(path);
  expect(read.sha256).toBe(createHash('sha256').update(text).digest('hex'));
  expect(discoveryServersOf(read.settings)).toEqual(['10.0.0.5', '10.0.0.6:5960']);
  writeFileSync(path, '{"ndi": ');
  expect(readNdiConfiguration(path)).toMatchObject({
    settings: null,
    sha256: expect.stringMatching(/^\w{64}$/),
  });
  expect(discoveryServersOf(null)).toEqual([]);
});

test('a board is reported by the firmware, or not at all', () => {
  const firmware = join(folder, 'dmi');
  mkdirSync(firmware);
  expect(() => readMainboard(firmware)).toThrow(/reports nothing/);
  writeFileSync(join(firmware, 'sys_vendor'), 'ASUS\n');
  writeFileSync(join(firmware, 'board_name'), 'ProArt\n');
  writeFileSync(join(firmware, 'bios_version'), '1702\n');
  expect(readMainboard(firmware)).toEqual({ vendor: 'ASUS', product: 'ProArt', version: null, bios: '1702' });
});

test('a slot carries what its lanes do', () => {
  const slot = join(folder, 'slot');
  mkdirSync(slot);
  expect(() => readPcie(slot)).toThrow(/in no PCIe slot/);
  writeFileSync(join(slot, 'current_link_width'), '4\n');
  writeFileSync(join(slot, 'current_link_speed'), '8.0 GT/s PCIe\n');
  writeFileSync(join(slot, 'max_link_width'), '8\n');
  writeFileSync(join(slot, 'max_link_speed'), 'Unknown\n');
  const link = readPcie(slot);
  expect(link).toEqual({ width: 4, mostWidth: 8, gigatransfers: 8, mostGigatransfers: null });
  expect(pcieMbps(link)).toBeCloseTo(31_508, 0);
  expect(pcieMbps({ ...link, gigatransfers: 5 })).toBeCloseTo(16_000, 0);
  expect(pcieMbps({ ...link, width: null })).toBeNull();
});
