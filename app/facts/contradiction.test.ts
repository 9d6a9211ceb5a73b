import { expect, test } from 'vitest';
import { alike, atMost, rising } from './contradiction';
import { wordsOf } from './reason-words';

test('a contradiction names both figures', () => {
  const facts = alike('lost datagrams', [500, 'lost by what both ends counted'], [0, 'reported']);
  expect(facts).toEqual([
    {
      code: 'contradiction',
      data: { what: 'lost datagrams', one: '500 lost by what both ends counted', other: '0 reported' },
    },
  ]);
  expect(wordsOf(facts)).toBe(
    'the figures contradict each other (lost datagrams): 500 lost by what both ends counted, 0 reported',
  );
});

test('within the tolerance nothing contradicts, at its edge included', () => {
  expect(atMost('rate', [105, 'in'], [100, 'out'], { share: 0.05 })).toEqual([]);
  expect(atMost('rate', [105.01, 'in'], [100, 'out'], { share: 0.05 })).toHaveLength(1);
  expect(alike('count', [97, 'a'], [100, 'b'], { amount: 3 })).toEqual([]);
  expect(alike('count', [96, 'a'], [100, 'b'], { amount: 3 })).toHaveLength(1);
  expect(atMost('count', [-1, 'a'], [0, 'b'])).toEqual([]);
});

test('what was not measured contradicts nothing', () => {
  for (const absent of [null, undefined, Number.NaN]) {
    expect(atMost('rate', [absent, 'in'], [0, 'out'])).toEqual([]);
    expect(alike('rate', [1, 'in'], [absent, 'out'])).toEqual([]);
  }
});

test('percentiles rise, past those that were not measured too', () => {
  expect(
    rising('time', [
      [1, 'p50'],
      [2, 'p99'],
      [2, 'max'],
    ]),
  ).toEqual([]);
  const [fact] = rising('time', [
    [3, 'p50'],
    [null, 'p99'],
    [2, 'max'],
  ]);
  expect(fact?.data).toMatchObject({ one: '3 p50', other: '2 max' });
});
