import { expect, test } from 'vitest';
import { Outbox, outboxLimits } from './outbox';

const ms = 1e6;
const value = (length = 1): Uint8Array => new Uint8Array(length);

function outboxOf(count: number, limits: Partial<typeof outboxLimits> = {}): Outbox {
  const outbox = new Outbox({ ...outboxLimits, ...limits });
  for (let number = 1; number <= count; number++) outbox.add(value(number), 0);
  return outbox;
}

function numbersAgain(outbox: Outbox, from: number, to: number, nowNs: number): number[] {
  return outbox.again({ from, to }, nowNs).map(({ number }) => number);
}

test('numbers begin with 1, and each is kept until it is confirmed', () => {
  const outbox = new Outbox();
  expect([outbox.sentTo, outbox.keptFrom, outbox.dueNs]).toEqual([0, 1, Number.POSITIVE_INFINITY]);
  expect([outbox.add(value(), 0), outbox.add(value(), 0)]).toEqual([
    { number: 1, letGo: null },
    { number: 2, letGo: null },
  ]);
  outbox.acknowledge(1, 0);
  expect([outbox.sentTo, outbox.keptFrom]).toEqual([2, 2]);
  outbox.acknowledge(2, 0);
  expect([outbox.sentTo, outbox.keptFrom, outbox.dueNs]).toEqual([2, 3, Number.POSITIVE_INFINITY]);
});

test('a confirmation of what was never sent, or was confirmed before, changes nothing', () => {
  const outbox = outboxOf(3);
  outbox.acknowledge(4, 0);
  expect(outbox.keptFrom).toBe(1);
  outbox.acknowledge(2, 0);
  outbox.acknowledge(1, 0);
  expect(outbox.keptFrom).toBe(3);
});

test('what is asked for again comes in its order, as far as it is kept and was ever sent', () => {
  const outbox = outboxOf(5);
  outbox.acknowledge(2, 0);
  expect(numbersAgain(outbox, 1, 99, 200 * ms)).toEqual([3, 4, 5]);
  expect(outbox.again({ from: 4, to: 4 }, 400 * ms)).toEqual([{ number: 4, value: value(4) }]);
  expect(numbersAgain(outbox, 1, 2, 800 * ms)).toEqual([]);
  expect(numbersAgain(outbox, 6, Number.MAX_SAFE_INTEGER, 800 * ms)).toEqual([]);
});

test('however often it is asked for, nothing is sent twice within 100 ms', () => {
  const outbox = outboxOf(2);
  expect(numbersAgain(outbox, 1, 2, 99 * ms)).toEqual([]);
  expect(numbersAgain(outbox, 1, 1, 100 * ms)).toEqual([1]);
  expect(numbersAgain(outbox, 1, 2, 101 * ms)).toEqual([2]);
  expect(numbersAgain(outbox, 1, 2, 199 * ms)).toEqual([]);
});

test('where too many are kept the oldest is let go, and told', () => {
  const outbox = outboxOf(4, { mostMessages: 4 });
  expect(outbox.add(value(), 0)).toEqual({ number: 5, letGo: { from: 1, to: 1 } });
  expect(outbox.keptFrom).toBe(2);
  expect(numbersAgain(outbox, 1, 5, 200 * ms)).toEqual([2, 3, 4, 5]);
});

test('where too many bytes are kept the oldest are let go, but never the newest', () => {
  const outbox = outboxOf(4, { mostBytes: 10 });
  expect(outbox.keptFrom).toBe(1);
  expect(outbox.add(value(5), 0)).toEqual({ number: 5, letGo: { from: 1, to: 3 } });
  expect(outbox.add(value(99), 0)).toEqual({ number: 6, letGo: { from: 4, to: 5 } });
  outbox.acknowledge(6, 0);
  expect(outbox.add(value(10), 0)).toEqual({ number: 7, letGo: null });
});

test('the other end is reminded after 500 ms without a word, then less often, and each 2 s in the end', () => {
  const outbox = outboxOf(1);
  const moments = Array.from({ length: 8001 }, (_, at) => at).filter((at) => outbox.reminder(at * ms));
  expect(moments).toEqual([500, 1000, 2000, 4000, 6000, 8000]);
});

test('a word of the other end, and a new message, begin the wait anew', () => {
  const outbox = outboxOf(2);
  expect(outbox.reminder(500 * ms)).toBe(true);
  outbox.acknowledge(1, 600 * ms);
  expect(outbox.dueNs).toBe(1100 * ms);
  outbox.add(value(), 700 * ms);
  expect(outbox.dueNs).toBe(1200 * ms);
  outbox.acknowledge(3, 800 * ms);
  expect(outbox.reminder(9000 * ms)).toBe(false);
});

test('when the line is there again the reminder comes at once', () => {
  const outbox = outboxOf(1);
  outbox.remindNow();
  expect(outbox.reminder(1 * ms)).toBe(true);
  expect(outbox.dueNs).toBe(501 * ms);
});

test('it is known since when the other end lacks something, however often that was sent again', () => {
  const outbox = outboxOf(0);
  expect(outbox.waitsSinceNs).toBe(Number.POSITIVE_INFINITY);
  outbox.add(value(), 100 * ms);
  outbox.add(value(), 300 * ms);
  expect(numbersAgain(outbox, 1, 2, 900 * ms)).toEqual([1, 2]);
  expect(outbox.waitsSinceNs).toBe(100 * ms);
  outbox.acknowledge(1, 1000 * ms);
  expect(outbox.waitsSinceNs).toBe(300 * ms);
  outbox.acknowledge(2, 1000 * ms);
  expect(outbox.waitsSinceNs).toBe(Number.POSITIVE_INFINITY);
});
