import { expect, test } from 'vitest';
import { Cable } from '../../../testing/cable';
import { TestRegistry } from '../../../testing/nmos-registry';
import { changed, nmosNode, nmosTypes } from '../../../testing/nmos-resources';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { eventually } from '../../../testing/time-passes';

function held({ registry: { store } }: TestRegistry): string[] {
  return nmosTypes.flatMap((type) => store.list(type, 'create').map(({ body }) => body.json)).sort();
}

test.each([
  ['registered', false],
  ['changed', true],
])(
  'what a node %s at a registry that one of two others could not reach comes to it when the node moves on',
  async (_, isKnown) => {
    const clock = new SimulatedClock();
    const start = (): Promise<TestRegistry> => TestRegistry.start({ expirySeconds: 3600, clock });
    const [one, two, three] = [await start(), await start(), await start()];
    const [toThree, toTwo] = [await Cable.to(three.origin), await Cable.to(two.origin)];
    one.follow(two);
    one.follow(three);
    two.registry.addPeer(toThree.url);
    three.registry.addPeer(toTwo.url);
    const alike = (...all: TestRegistry[]): Promise<void> =>
      eventually(clock, () => {
        for (const registry of all) expect(held(registry)).toEqual(held(all[0] ?? registry));
        expect(held(all[0] ?? one)).toHaveLength(6);
      });
    for (const { lines } of [one, two, three])
      await eventually(clock, () =>
        expect(lines.filter((line) => line.includes('replicating: '))).toHaveLength(2),
      );
    const { node, device } = nmosNode(1);
    if (isKnown) {
      await three.registerNode(1);
      await alike(three, one, two);
    }
    for (const cable of [toThree, toTwo]) cable.cut();
    if (isKnown) await three.register('device', changed(device, 1));
    else await three.registerNode(1);
    await alike(three, one);
    const lost = one.lines.length;
    await three.close();
    await eventually(clock, () => expect(one.lines.slice(lost).join()).toContain('not replicating'));
    expect(held(two)).not.toEqual(held(one));
    await one.post(`health/nodes/${node.id}`, undefined);
    await alike(one, two);
  },
);
