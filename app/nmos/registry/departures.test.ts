import { expect, test } from 'vitest';
import { Departures } from './departures';

test('the last departure of each is remembered; of one date, a removal counts', () => {
  const departures = new Departures();
  const remember = (kind: 'remove' | 'expire', at: bigint): boolean =>
    departures.remember({ kind, id: 'a', at });
  expect([remember('remove', 5n), remember('remove', 4n), remember('expire', 5n)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([departures.removedAt('a'), departures.of('c')]).toEqual([5n, undefined]);
  expect([remember('expire', 6n), departures.removedAt('a'), remember('remove', 6n)]).toEqual([
    true,
    undefined,
    true,
  ]);
  expect(departures.list()).toEqual([{ kind: 'remove', id: 'a', at: 6n }]);
});

test('dates after another go with a clock that goes forward', () => {
  const departures = new Departures();
  departures.remember({ kind: 'remove', id: 'a', at: 5n });
  departures.remember({ kind: 'expire', id: 'b', at: 6n });
  departures.shift(5n, 10n);
  expect(departures.list().map(({ at }) => at)).toEqual([5n, 16n]);
});

test('of a great many the latest 50,000 are remembered, and no id twice', () => {
  const departures = new Departures();
  for (let number = 1; number <= 180_000; number++)
    departures.remember({ kind: 'remove', id: String(number % 170_000), at: BigInt(number) });
  const list = departures.list();
  expect(list.length).toBeGreaterThanOrEqual(50_000);
  expect(list.length).toBeLessThanOrEqual(100_000);
  expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
  expect(['9', '135000', '20000'].map((id) => departures.removedAt(id))).toEqual([
    170_009n,
    135_000n,
    undefined,
  ]);
});
