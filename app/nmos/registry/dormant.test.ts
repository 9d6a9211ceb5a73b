import { expect, test } from 'vitest';
import { Dormant } from './dormant';

test('what is kept of a node is given once, and the last that was kept', () => {
  const dormant = new Dormant();
  dormant.keep('a', ['1', '2']);
  dormant.keep('a', ['3']);
  dormant.keep('b', ['4']);
  expect(dormant.list()).toEqual(['3', '4']);
  expect([dormant.take('a'), dormant.take('a')]).toEqual([['3'], []]);
});

test('beyond 20 million characters the oldest go', () => {
  const dormant = new Dormant();
  const text = 'x'.repeat(1_000_000);
  for (let number = 0; number < 25; number++) dormant.keep(String(number), [text]);
  expect(dormant.list()).toHaveLength(20);
  expect([dormant.take('4'), dormant.take('5')]).toEqual([[], [text]]);
});
