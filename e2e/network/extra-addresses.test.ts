import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WhitelineCommand } from '../../app/testing/command';
import { senderAddress, withoutBus } from './network';
import { Scene } from './scene';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.open();
});
afterEach(() => scene.close());

test('a sender that mDNS does not report of is found where its address is named', async () => {
  await scene.send();
  const { inside } = scene.network.receiver;
  const look = (...flags: string[]) =>
    new WhitelineCommand(['sources', '--seconds', '2', '--json', ...flags], withoutBus, inside).ended;
  const [alone, asked] = await Promise.all([look(), look('--from', senderAddress)]);
  expect([alone.exitCode, alone.output]).toEqual([0, '']);
  const source = JSON.parse(asked.output) as { name: string; address: string };
  expect(source.name).toContain(scene.name);
  expect(source.address).toMatch(new RegExp(`^${senderAddress}:`));
});
