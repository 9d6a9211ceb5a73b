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
