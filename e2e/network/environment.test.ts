import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hostEnvironmentSchema } from '../../app/protocol/environment';
import { Scene } from './scene';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.open();
});
afterEach(() => scene.close());

test('the watcher’s run reports what both machines are, each by its own words', async () => {
  await scene.send();
  const { events } = await scene.seen(await scene.watch(4));
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
