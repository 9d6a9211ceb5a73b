import { expect, onTestFinished, test, vi } from 'vitest';
import { TestRegistry } from '../../testing/nmos-registry';
import { RestClient } from '../controller/rest-client';
import { changeCrosspoints, fillByPages, fillBySubscriptions } from './crosspoints';
import { Load } from './load';
import { SimulatedConnections } from './simulated-connections';

vi.setConfig({ testTimeout: 20_000 });

const nodes = 5;

test('a matrix is filled by pages and by subscriptions, and crosspoints of the load are changed, those of others never', async () => {
  const registry = await TestRegistry.start();
  await registry.registerNode(1);
  const controls = await SimulatedConnections.start('127.0.0.1', () => {});
  const load = new Load({
    ...{ run: 'mine', registries: [registry.origin], nodes, connections: 4, controls },
    ...{ rampSeconds: 0, heartbeatSeconds: 5, expirySeconds: 12, httpTimeoutSeconds: 5, retrySeconds: 1 },
    log: () => {},
  });
  const client = new RestClient();
  onTestFinished(async () => {
    await load.close();
    await controls.close();
    client.close();
  });
  await load.settled;
  const query = { origin: registry.origin, version: 'v1.3' } as const;
  const whole = { senders: nodes + 1, receivers: nodes + 1, messages: 2 };
  const byPages = await fillByPages(client, query);
  expect(byPages).toMatchObject(whole);
  const bySubscriptions = await fillBySubscriptions(client, query, 10_000);
  expect(bySubscriptions).toMatchObject(whole);
  // Of each resource what was and what is.
  expect(bySubscriptions.bytes).toBeGreaterThan(1.5 * byPages.bytes);
  const { href: url } = controls;
  const change = { client, query, run: 'mine', controls: url, nodes, crosspoints: 10, limitMs: 10_000 };
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
    firstProblem: expect.stringMatching(/^The registry changed controls of the device .+: it says http/),
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
