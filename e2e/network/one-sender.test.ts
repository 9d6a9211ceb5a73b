import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hostEnvironmentSchema } from '../../app/protocol/environment';
import { WhitelineCommand } from '../../app/testing/command';
import { senderAddress, withoutBus } from './network';
import { Scene } from './scene';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
  await scene.send();
});
afterAll(() => scene.close());

test('a sender that mDNS does not report of is found where its address is named', async () => {
  const { inside } = scene.network.receiver;
  const look = (...flags: string[]) =>
    new WhitelineCommand(['sources', '--duration', '2', '--json', ...flags], withoutBus, inside).ended;
  let asked = await look('--from', senderAddress);
  // Two seconds may be too few for a machine that is held up.
  while (asked.exitCode === 0 && asked.output === '') asked = await look('--from', senderAddress);
  const alone = await look();
  expect([alone.exitCode, alone.output]).toEqual([0, '']);
  expect(asked.exitCode).toBe(0);
  const source = JSON.parse(asked.output) as { name: string; addresses: string[] };
  expect(source.name).toContain(scene.name);
  expect(source.addresses).toEqual([expect.stringMatching(new RegExp(`^${senderAddress}:`))]);
});

test('the watcher’s run reports what both machines are, each by its own words', async () => {
  const watch = await scene.watch(120);
  await vi.waitFor(() => expect(scene.events().map(({ kind }) => kind)).toContain('host-environment'), {
    timeout: 60_000,
  });
  watch.signal('SIGINT');
  await watch.ended;
  const events = scene.events();
  const start = events.find(({ kind }) => kind === 'run-started')?.details;
  const { hosts } = (start?.environment ?? { hosts: [] }) as { hosts: unknown[] };
  const reported = events.filter(({ kind }) => kind === 'host-environment');
  expect([hosts.length, reported.length]).toEqual([1, 1]);
  const receiver = hostEnvironmentSchema.parse(hosts[0]);
  const sender = hostEnvironmentSchema.parse(reported[0]?.details?.host);
  // One machine plays both, so each is known by the end of the cable that it has.
  const cards = [sender, receiver].map(({ interfaces }) => interfaces.map(({ name }) => name));
  expect(cards).toEqual([expect.arrayContaining(['wls0']), expect.arrayContaining(['wlr0'])]);
  const cable = sender.interfaces.find(({ name }) => name === 'wls0');
  expect(cable).toMatchObject({ mtuBytes: 1500, driver: 'veth', duplex: 'full' });
  expect(sender.versions.whiteline).toBe(receiver.versions.whiteline);
  expect(sender.versions.ndi).toMatch(/NDI/);
});
