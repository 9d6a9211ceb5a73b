import { expect, test } from 'vitest';
import { Removals } from './removals';

test('the last removal of each is remembered, for 10 min', () => {
  const removals = new Removals();
  expect([removals.remember('a', 5n), removals.remember('a', 4n), removals.remember('a', 6n)]).toEqual([
    true,
    false,
    true,
  ]);
  removals.remember('b', 400_000_000_000n);
  expect([removals.at('a'), removals.at('c')]).toEqual([6n, undefined]);
  removals.forgetOld(700_000_000_000n);
  expect(removals.list()).toEqual([['b', 400_000_000_000n]]);
});

test('of a great many the latest 50,000 are remembered, and no id twice', () => {
  const removals = new Removals();
  for (let number = 1; number <= 180_000; number++)
    removals.remember(String(number % 170_000), BigInt(number));
  const list = removals.list();
  expect(list.length).toBeGreaterThanOrEqual(50_000);
  expect(list.length).toBeLessThanOrEqual(100_000);
  expect(new Set(list.map(([id]) => id)).size).toBe(list.length);
  expect([removals.at('9'), removals.at('135000'), removals.at('20000')]).toEqual([
    170_009n,
    135_000n,
    undefined,
  ]);
});
