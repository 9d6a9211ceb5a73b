import { expect, test, vi } from 'vitest';
import { Outboxes } from './outbox';

/** A client that takes what it was sent when it is asked to. */
function client(outboxes: Outboxes) {
  const waiting: (() => void)[] = [];
  const socket = {
    send: (_data: unknown, _options: unknown, taken?: () => void) => {
      if (taken) waiting.push(taken);
    },
  };
  const cut = vi.fn();
  const outbox = outboxes.open(socket, cut);
  const take = (): void => {
    for (const taken of waiting.splice(0)) taken();
  };
  return { outbox, cut, take };
}

test('clients that take nothing share one bound, and the one that holds most is cut first', () => {
  const outboxes = new Outboxes(1000);
  const [small, large, next] = [client(outboxes), client(outboxes), client(outboxes)];
  small.outbox.send('x'.repeat(300));
  large.outbox.send('x'.repeat(400));
  large.outbox.send('x'.repeat(200));
  next.outbox.send('x'.repeat(200));
  expect(large.cut).toHaveBeenCalledWith(expect.stringContaining('this one has the most: 600 bytes'));
  // What was cut counts no more, whatever its connection says later.
  large.take();
  next.outbox.send('x'.repeat(500));
  expect([small.cut.mock.calls.length, next.cut.mock.calls.length]).toEqual([0, 0]);
  next.outbox.send('x');
  expect(next.cut).toHaveBeenCalledOnce();
});

test('what was taken counts no more', () => {
  const outboxes = new Outboxes(1000);
  const { outbox, cut, take } = client(outboxes);
  for (let message = 0; message < 10; message++) {
    outbox.send('ü'.repeat(400));
    expect(outbox.waitingBytes).toBe(800);
    take();
  }
  expect([outbox.waitingBytes, cut.mock.calls.length]).toEqual([0, 0]);
});
