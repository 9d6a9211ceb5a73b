import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { TestRegistry } from '../../testing/nmos-registry';
import { nmosNode } from '../../testing/nmos-resources';
import { SimulatedClock } from '../../testing/simulated-clock';
import { eventually } from '../../testing/time-passes';
import type { MirrorState } from './collection-mirror';
import { type MirrorChanges, ResourceMirror } from './mirror';
import { RestClient } from './rest-client';

let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

type Types = 'sender' | 'receiver';

function mirrorOf(origin: string) {
  const client = new RestClient({ timeoutMs: 10_000 });
  const states: MirrorState[] = [];
  const changes: MirrorChanges<Types>[] = [];
  const mirror = new ResourceMirror<Types>({
    ...{ client, clock, query: { origin, version: 'v1.3' }, types: ['sender', 'receiver'] },
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

const becomes = (mirror: ResourceMirror<Types>, is: MirrorState['is']): Promise<void> =>
  eventually(clock, () => expect(mirror.now.is).toBe(is));
const ids = (mirror: ResourceMirror<Types>, type: Types): string[] => [...mirror.all(type).keys()].sort();
const idOf = (number: number, type: Types): string => nmosNode(number)[type].id;

test('a mirror holds what there is, and follows what changes', async () => {
  const registry = await TestRegistry.start({ clock });
  for (const number of [1, 2, 3]) await registry.registerNode(number);
  const { mirror, states, changes } = mirrorOf(registry.origin);
  await becomes(mirror, 'complete');
  expect(ids(mirror, 'sender')).toEqual([1, 2, 3].map((number) => idOf(number, 'sender')).sort());
  expect(ids(mirror, 'receiver')).toHaveLength(3);
  const { syncedMs, messages, bytes, losses, resources } = mirror.figures();
  expect({ messages, losses, resources }).toEqual({ messages: 2, losses: 0, resources: 6 });
  expect(bytes).toBeGreaterThan(1000);
  // Before the wait for further messages was over.
  expect(syncedMs).toBeLessThan(300);
  expect(states.map(({ is }) => is)).toEqual(['filling', 'complete']);
  await registry.registerNode(4);
  await registry.delete(`receivers/${idOf(1, 'receiver')}`);
  await eventually(clock, () => {
    expect(mirror.all('sender').has(idOf(4, 'sender'))).toBe(true);
    expect(mirror.all('receiver').has(idOf(1, 'receiver'))).toBe(false);
    expect(changes.flatMap(({ receiver }) => receiver?.removed ?? [])).toEqual([idOf(1, 'receiver')]);
  });
  expect(changes.flatMap(({ sender }) => sender?.set ?? [])).toContainEqual(
    expect.objectContaining({ id: idOf(4, 'sender') }),
  );
});

test('what came and went while the registry was away is there when it is back', async () => {
  const registry = await TestRegistry.start({ clock });
  for (const number of [1, 2]) await registry.registerNode(number);
  const { port } = registry.registry.http;
  const { mirror, states } = mirrorOf(registry.origin);
  await becomes(mirror, 'complete');
  await registry.close();
  await eventually(clock, () =>
    expect(mirror.now).toMatchObject({ is: 'lost', reason: expect.stringMatching(/./) }),
  );
  expect(ids(mirror, 'sender')).toHaveLength(2);
  const again = await TestRegistry.start({ port, clock });
  for (const number of [2, 3]) await again.registerNode(number);
  await becomes(mirror, 'complete');
  // It may be back before all is registered.
  const there = [2, 3].map((number) => idOf(number, 'sender')).sort();
  await eventually(clock, () => expect(ids(mirror, 'sender')).toEqual(there));
  expect(states.map(({ is }) => is)).toContain('lost');
  expect(mirror.figures().losses).toBeGreaterThan(1);
});

test('the only one that went while the registry was away is told of', async () => {
  const registry = await TestRegistry.start({ clock });
  for (const number of [1, 2]) await registry.registerNode(number);
  const { port } = registry.registry.http;
  const { mirror, changes } = mirrorOf(registry.origin);
  await becomes(mirror, 'complete');
  await registry.close();
  await becomes(mirror, 'lost');
  const again = await TestRegistry.start({ port, clock });
  await again.registerNode(1);
  await eventually(clock, () =>
    expect(changes.flatMap(({ sender }) => sender?.removed ?? [])).toContain(idOf(2, 'sender')),
  );
});
