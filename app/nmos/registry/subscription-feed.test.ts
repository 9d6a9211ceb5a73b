import { expect, test, vi } from 'vitest';
import { nmosId } from '../../testing/nmos-resources';
import { SimulatedClock } from '../../testing/simulated-clock';
import { TaiStamps } from '../tai';
import { Outboxes } from './outbox';
import { Seen } from './query/translate';
import { SharedClock } from './shared-clock';
import { Store } from './store';
import { Subscription } from './subscription';
import { Feed } from './subscription-feed';

interface Event {
  path: string;
  pre?: object;
  post?: object;
}

/** A client that does not read, of a registry with so many nodes. */
function slowFeed({ nodes = 0, isAwake = true } = {}) {
  const clock = new SimulatedClock();
  const stamps = new TaiStamps(clock);
  const options = { stamps, shared: new SharedClock(clock), clock, expiryMs: 12_000, instance: 'one' };
  const store = new Store(options);
  const request = { type: 'node' as const, maxUpdateRateMs: 10, persist: false, params: {} };
  const query = { version: 'v1.3' as const, oldest: 'v1.3' as const, filter: null };
  const subscription = new Subscription(nmosId(9, 1), 'v1.3', request, query, 0n, 0);
  const sent: string[] = [];
  const socket = { send: (text: unknown) => sent.push(String(text)), close: () => undefined };
  const onStuck = vi.fn();
  const outbox = new Outboxes(1e9).open(socket, onStuck);
  const put = (number: number, value = 0): void => {
    const registered = {
      type: 'node' as const,
      id: nmosId(0, number),
      version: '0:0',
      parent: null,
      isOwn: true,
    };
    store.put({ ...registered, body: { json: JSON.stringify({ value }), apiVersion: 'v1.3' } });
  };
  const remove = (number: number): void => {
    const resource = store.get(nmosId(0, number));
    if (resource) store.remove(resource, { isOwn: true });
  };
  for (let number = 0; number < nodes; number++) put(number);
  const work = (one: Feed): void => {
    while (isAwake && one.step());
  };
  const feed = new Feed({
    ...{ socket, outbox, subscription, store, sourceId: 'x', taiNow: () => '0:0', wake: work },
  });
  subscription.feeds.add(feed);
  store.onChange(({ pre, post, resource }) =>
    subscription.changed(resource, {
      pre: pre && new Seen('node', pre),
      post: post && new Seen('node', post),
    }),
  );
  return {
    ...{ clock, sent, onStuck, put, remove, feed },
    wait: (bytes: number) => {
      outbox.waitingBytes = bytes;
    },
    /** By the number of the node, what each message says. */
    messages: () =>
      sent.map((text) =>
        (JSON.parse(text).grain.data as Event[]).map(({ path, pre, post }) => [
          Number.parseInt(path, 16),
          pre,
          post,
        ]),
      ),
  };
}

test('a client that does not take its messages is sent no more, and cut after 10 s', async () => {
  const { clock, sent, onStuck, put, wait } = slowFeed();
  wait(40_000_000);
  for (let number = 0; number < 1000; number++) put(number % 10, number);
  await clock.pass(10_000);
  expect([sent.length, onStuck.mock.calls.length]).toEqual([0, 0]);
  await clock.pass(200);
  expect(onStuck).toHaveBeenCalledWith('it did not read its messages');
});

test('a client that takes its messages late gets the last of each resource, once', async () => {
  const { clock, sent, onStuck, put, wait } = slowFeed();
  wait(40_000_000);
  for (let number = 0; number < 1000; number++) put(number % 10, number);
  await clock.pass(500);
  wait(0);
  await clock.pass(200);
  expect(sent).toHaveLength(1);
  expect(JSON.parse(sent[0] ?? '').grain.data).toHaveLength(10);
  expect(onStuck).not.toHaveBeenCalled();
});

const [first, second] = [{ value: 0 }, { value: 1 }];

test('what changes while all there is is sent comes after it, and what is still to be sent is sent as it is then', async () => {
  const { clock, feed, put, remove, wait, messages } = slowFeed({ nodes: 6, isAwake: false });
  for (let step = 0; step < 3; step++) feed.step();
  // 0 to 2 were taken, 3 to 5 were not.
  for (const number of [1, 4, 6]) put(number, 1);
  for (const number of [0, 3, 6]) remove(number);
  put(7, 1);
  remove(2);
  put(2, 1);
  while (feed.step());
  wait(0);
  await clock.pass(1000);
  while (feed.step());
  expect(messages()).toEqual([
    [
      [0, first, first],
      [1, first, first],
      [2, first, first],
      [4, second, second],
      [5, first, first],
    ],
    [
      [1, first, second],
      [0, first, undefined],
      [7, undefined, second],
      [2, first, second],
    ],
  ]);
});

test('what goes and comes back as it was is removed and added, and what changes and changes back is nothing', async () => {
  const { clock, put, remove, wait, messages } = slowFeed({ nodes: 3 });
  put(0, 1);
  put(0);
  remove(1);
  put(1);
  remove(2);
  put(2, 1);
  wait(0);
  await clock.pass(1000);
  expect(messages().slice(1)).toEqual([
    [
      [1, first, undefined],
      [1, undefined, first],
      [2, first, second],
    ],
  ]);
});
