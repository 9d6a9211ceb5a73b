import { expect, onTestFinished, test } from 'vitest';
import { connectedLoad } from '../../testing/connected-load';
import { TestRegistry } from '../../testing/nmos-registry';
import { settled } from '../../testing/time-passes';
import { type Question, RestClient } from '../controller/rest-client';
import { changeCrosspoints, fillByPages, fillBySubscriptions } from './crosspoints';

const nodes = 5;
const elsewhere = 'http://192.0.2.7:8010';

/** As if the registry were another machine. */
class DistantClient extends RestClient {
  constructor(private readonly origin: string) {
    super();
  }

  override ask(question: Question): ReturnType<RestClient['ask']> {
    return super.ask({ ...question, url: question.url.replace(elsewhere, this.origin) });
  }
}

test('a matrix is filled by pages and by subscriptions, and crosspoints of the load are changed, those of others never', async () => {
  const registry = await TestRegistry.start();
  await registry.registerNode(1);
  const { clock } = registry;
  const { client, query, controls } = await connectedLoad(registry, { run: 'mine', nodes });
  const whole = {
    ...{ senders: nodes + 1, receivers: nodes + 1, ownSenders: nodes, ownReceivers: nodes },
    messages: 2,
  };
  const fill = { client, clock, query, run: 'mine', nodes };
  const byPages = await fillByPages(fill);
  expect(byPages).toMatchObject(whole);
  const bySubscriptions = await settled(clock, fillBySubscriptions(fill, 10_000));
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
    const changed = await settled(clock, changeCrosspoints({ ...change, ...way }));
    expect(changed).toMatchObject({ crosspoints: nodes, failed: 0, firstProblem: null });
    expect(changed.shownSeconds).toBeGreaterThanOrEqual(
      changed.seconds ?? expect.fail('no device was asked'),
    );
    expect(changed.p50Ms).toBeLessThanOrEqual(changed.maxMs ?? expect.fail('no device was asked'));
  }
  const distant = new DistantClient(registry.origin);
  onTestFinished(() => distant.close());
  const away = { client: distant, query: { ...query, origin: elsewhere } };
  expect(await settled(clock, changeCrosspoints({ ...change, ...ways[2], ...away }))).toMatchObject({
    failed: 0,
  });
  // As if the registry had put another host into what the load registered.
  const renamed = await changeCrosspoints({ ...change, ...ways[0], controls: 'http://192.0.2.1/' });
  expect(renamed).toMatchObject({
    ...{ crosspoints: nodes, failed: nodes, seconds: null, p50Ms: null, shownSeconds: null },
    firstProblem: expect.stringMatching(/^The registry changed controls of the device .+: it holds http/),
  });
  await controls.close();
  const { failed, firstProblem, shownSeconds } = await changeCrosspoints({ ...change, ...ways[0] });
  expect({ failed, firstProblem }).toEqual({
    failed: nodes,
    firstProblem: expect.stringMatching(/does not answer/),
  });
  // There is nothing that it would have to show.
  expect(shownSeconds).toBeNull();
});
