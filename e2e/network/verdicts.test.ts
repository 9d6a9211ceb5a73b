import { test as base, describe, expect, vi } from 'vitest';
import { Scene, type Watched, whatCame } from './scene';

/** What is done to the cable in the middle of a watch, on any machine: no row that lacks frames passes. */

const test = base.extend<{ scene: Scene }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that are needed from this pattern.
  scene: async ({}, use) => {
    const scene = await Scene.open();
    await use(scene);
    await scene.close();
  },
});

/** From the other end of the cable, until this is done. */
async function watched(scene: Scene, act: () => Promise<void>): Promise<Watched> {
  // Enough for a cable to hold up.
  await scene.send(['--source', 'noise']);
  const watch = await scene.watch(3600);
  await act();
  watch.signal('SIGINT');
  return scene.seen(watch);
}

/** That the watcher has reported it. */
async function reported(scene: Scene, kind: string): Promise<void> {
  await vi.waitFor(() => expect(scene.events().map((event) => event.kind)).toContain(kind));
}

function expectNoFalsePass(seen: Watched): void {
  const passed = seen.rows.filter(({ verdict }) => verdict === 'PASS').flatMap(({ perStream }) => perStream);
  for (const { framesDropped, framesSenderMissed, outages, stalls } of passed)
    expect([framesDropped, framesSenderMissed, outages?.length ?? 0, stalls], whatCame(seen)).toEqual(
      Array(4).fill(0),
    );
  expect(
    seen.rows.some(({ verdict }) => verdict !== 'PASS'),
    whatCame(seen),
  ).toBe(true);
}

// Mostly waiting for the SDK, and each on a cable of its own.
describe.concurrent('in the middle of a watch', () => {
  test('a link that was down: the row names the interface, whatever else the machine did', async ({
    scene,
  }) => {
    const changes = (): string[] =>
      scene.samples().flatMap((sample) => sample.changes.map(({ code }) => code));
    const seen = await watched(scene, async () => {
      scene.network.setCable('down');
      await vi.waitFor(() => expect(changes()).toContain('link-down'));
      await reported(scene, 'stream-stalled');
      scene.network.setCable('up');
      await reported(scene, 'stream-recovered');
    });
    expectNoFalsePass(seen);
    const named = seen.rows.filter(({ reason }) => reason.includes('wlr0 had no link'));
    expect(named.length, whatCame(seen)).toBeGreaterThan(0);
  });

  test('a link that became too narrow', async ({ scene }) => {
    const seen = await watched(scene, async () => {
      scene.network.limitBandwidth('2mbit');
      await reported(scene, 'frames-lost');
    });
    expectNoFalsePass(seen);
  });

  test('a receiver whose end takes smaller packets than are sent', async ({ scene }) => {
    const seen = await watched(scene, async () => {
      scene.network.setReceiverMtu(600);
      await reported(scene, 'stream-stalled');
      scene.network.setReceiverMtu(1500);
    });
    expectNoFalsePass(seen);
  });
});
