import { expect, onTestFinished, test } from 'vitest';
import { TestRegistry } from '../../testing/nmos-registry';
import { nmosNode } from '../../testing/nmos-resources';
import type { MirrorState } from './collection-mirror';
import { type MirrorChanges, ResourceMirror } from './mirror';
import { RestClient } from './rest-client';

const patient = { interval: 10 };

type Types = 'sender' | 'receiver';

function mirrorOf(origin: string) {
  const client = new RestClient({ timeoutMs: 10_000 });
  const states: MirrorState[] = [];
  const changes: MirrorChanges<Types>[] = [];
  const mirror = new ResourceMirror<Types>({
    ...{ client, query: { origin, version: 'v1.3' }, types: ['sender', 'receiver'] },
    ...{ maxUpdateRateMs: 0, batchMs: 20, firstBackOffMs: 20, longestBackOffMs: 100 },
    onState: (state) => states.push(state),
    onChange: (change) => changes.push(change),
  });
  onTestFinished(async () => {
    await mirror.close();
    client.close();
  });
  return { mirror, states, changes };
}

const ids = (mirror: ResourceMirror<Types>, type: Types): string[] => [...mirror.all(type).keys()].sort();
const idOf = (number: number, type: Types): string => nmosNode(number)[type].id;

test('a mirror holds what there is, and follows what changes', async () => {
  const registry = await TestRegistry.start();
  for (const number of [1, 2, 3]) await registry.registerNode(number);
  const { mirror, states, changes } = mirrorOf(registry.origin);
  await expect.poll(() => mirror.now.is, patient).toBe('complete');
  expect(ids(mirror, 'sender')).toEqual([1, 2, 3].map((number) => idOf(number, 'sender')).sort());
  expect(ids(mirror, 'receiver')).toHaveLength(3);
  const { syncedMs, messages, bytes, losses, resources } = mirror.figures();
  expect({ messages, losses, resources }).toEqual({ messages: 2, losses: 0, resources: 6 });
  expect(bytes).toBeGreaterThan(1000);
  // Before the wait for further messages was over.
  expect(syncedMs).toBeGreaterThan(0);
  expect(states.map(({ is }) => is)).toEqual(['filling', 'complete']);
  await registry.registerNode(4);
  await registry.delete(`receivers/${idOf(1, 'receiver')}`);
  await expect.poll(() => mirror.all('sender').has(idOf(4, 'sender')), patient).toBe(true);
  await expect.poll(() => mirror.all('receiver').has(idOf(1, 'receiver')), patient).toBe(false);
  await expect
    .poll(() => changes.flatMap(({ receiver }) => receiver?.removed ?? []), patient)
    .toEqual([idOf(1, 'receiver')]);
  expect(changes.flatMap(({ sender }) => sender?.set ?? [])).toContainEqual(
    expect.objectContaining({ id: idOf(4, 'sender') }),
  );
});

test('what came and went while the registry was away is there when it is back', async () => {
  const registry = await TestRegistry.start();
  for (const number of [1, 2]) await registry.registerNode(number);
  const { port } = registry.registry.http;
  const { mirror, states } = mirrorOf(registry.origin);
  await expect.poll(() => mirror.now.is, patient).toBe('complete');
  await registry.close();
  await expect
    .poll(() => mirror.now, patient)
    .toMatchObject({ is: 'lost', reason: expect.stringMatching(/./) });
  expect(ids(mirror, 'sender')).toHaveLength(2);
  const again = await TestRegistry.start({ port });
  for (const number of [2, 3]) await again.registerNode(number);
  await expect.poll(() => mirror.now.is, patient).toBe('complete');
  // It may be back before all is registered.
  await expect
    .poll(() => ids(mirror, 'sender'), patient)
    .toEqual([2, 3].map((number) => idOf(number, 'sender')).sort());
  expect(states.map(({ is }) => is)).toContain('lost');
  expect(mirror.figures().losses).toBeGreaterThan(1);
});
