import { expect, test, vi } from 'vitest';
import { nmosId } from '../../testing/nmos-resources';
import { TaiStamps } from '../tai';
import { Outboxes } from './outbox';
import { Store } from './store';
import { Feed, Subscription } from './subscription';

/** A client that does not read, on clocks that stand still until they are set. */
function slowFeed() {
  let nowMs = 0;
  const stamps = new TaiStamps();
  const options = { stamps, changes: stamps, nowMs: () => nowMs, expiryMs: 12_000, instance: 'one' };
  const store = new Store(options);
  const request = { type: 'node' as const, maxUpdateRateMs: 10, persist: false, params: {} };
  const query = { version: 'v1.3' as const, oldest: 'v1.3' as const, filter: null };
  const subscription = new Subscription(nmosId(9, 1), 'v1.3', request, query, 0);
  const sent: string[] = [];
  const socket = { send: (text: unknown) => sent.push(String(text)), close: () => undefined };
  const onStuck = vi.fn();
  const outbox = new Outboxes(1e9).open(socket, onStuck);
  const feed = new Feed({ socket, outbox, subscription, store, sourceId: 'x', taiNow: () => '0:0' });
  const add = (number: number): void => feed.add({ id: nmosId(0, number), pre: null, post: '{}' });
  return {
    ...{ sent, onStuck, add, feed },
    set: (bytes: number, ms: number) => {
      outbox.waitingBytes = bytes;
      nowMs = ms;
    },
  };
}

test('a client that does not take its messages is sent no more, and cut after 10 s', () => {
  vi.useFakeTimers();
  try {
    const { sent, onStuck, add, set } = slowFeed();
    set(40_000_000, 1000);
    for (let number = 0; number < 1000; number++) add(number % 10);
    vi.advanceTimersByTime(500);
    expect([sent.length, onStuck.mock.calls.length]).toEqual([0, 0]);
    set(40_000_000, 12_000);
    vi.advanceTimersByTime(200);
    expect(onStuck).toHaveBeenCalledWith('it did not take its messages');
  } finally {
    vi.useRealTimers();
  }
});

test('a client that takes its messages late gets the last of each resource, once', () => {
  vi.useFakeTimers();
  try {
    const { sent, onStuck, add, set } = slowFeed();
    set(40_000_000, 1000);
    for (let number = 0; number < 1000; number++) add(number % 10);
    vi.advanceTimersByTime(500);
    set(0, 2000);
    vi.advanceTimersByTime(200);
    expect(sent).toHaveLength(1);
    expect(JSON.parse(sent[0] ?? '').grain.data).toHaveLength(10);
    expect(onStuck).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});
