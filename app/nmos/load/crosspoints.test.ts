import { expect, test, vi } from 'vitest';
import { connectedLoad } from '../../testing/connected-load';
import { TestRegistry } from '../../testing/nmos-registry';
import { changeCrosspoints, fillByPages, fillBySubscriptions } from './crosspoints';

vi.setConfig({ testTimeout: 20_000 });

const nodes = 5;

test('a matrix is filled by pages and by subscriptions, and crosspoints of the load are changed, those of others never', async () => {
  const registry = await TestRegistry.start();
  await registry.registerNode(1);
  const { client, query, controls } = await connectedLoad(registry, { run: 'mine', nodes });
  const whole = {
    ...{ senders: nodes + 1, receivers: nodes + 1, ownSenders: nodes, ownReceivers: nodes },
    messages: 2,
  };
  const fill = { client, query, run: 'mine', nodes };
  const byPages = await fillByPages(fill);
  expect(byPages).toMatchObject(whole);
  const bySubscriptions = await fillBySubscriptions(fill, 10_000);
  expect(bySubscriptions).toMatchObject(whole);
  // Of each resource what was and what is.
  expect(bySubscriptions.bytes).toBeGreaterThan(1.5 * byPages.bytes);
  const { href: url } = controls;
  const change = { ...fill, controls: url, crosspoints: 10, limitMs: 10_000 };
  const ways = [
    { by: 'single', atOnce: 1, offset: 1 },
    { by: 'single', atOnce: 16, offset: 2 },
    { by: 'bulk', atOnce: 1, offset: 3 },
  ] as const;
  for (const way of ways) {
    const changed = await changeCrosspoints({ ...change, ...way });
    expect(changed).toMatchObject({ crosspoints: nodes, failed: 0, firstProblem: null });
    expect(changed.shownSeconds).toBeGreaterThanOrEqual(changed.seconds);
    expect(changed.p50Ms).toBeLessThanOrEqual(changed.maxMs);
  }
  // As if the registry had put another host into what the load registered.
  const elsewhere = await changeCrosspoints({ ...change, ...ways[0], controls: 'http://192.0.2.1/' });
  expect(elsewhere).toMatchObject({
    ...{ crosspoints: nodes, failed: nodes, seconds: expect.closeTo(0, 0) },
    firstProblem: expect.stringMatching(/^The registry changed controls of the device .+: it holds http/),
  });
  await controls.close();
  const { failed, firstProblem, shownSeconds } = await changeCrosspoints({ ...change, ...ways[0] });
  expect({ failed, firstProblem }).toEqual({
    failed: nodes,
    firstProblem: expect.stringMatching(/does not answer/),
  });
  // There is nothing that it would have to show.
  expect(shownSeconds).not.toBeNull();
});
