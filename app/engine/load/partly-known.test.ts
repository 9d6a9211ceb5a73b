import { expect, test } from 'vitest';
import { PartlyKnown } from './partly-known';

/** Two a second; null lacks the figure. */
function partlyKnown(values: (number | null)[]): PartlyKnown {
  const figure = new PartlyKnown();
  for (const [index, value] of values.entries()) figure.add(1e9 + index * 0.5e9, value ?? 'it is absent');
  return figure;
}

test.each<[string, (number | null)[], mean: number | null, isUnknown: boolean]>([
  ['no sample', [], null, false],
  ['all of it', [10, 20, 30], 20, false],
  ['nothing', [null], null, true],
  ['all but one sample', [10, null, 20], 15, false],
  ['all but 1.5 s', [10, null, null, 20], 15, false],
  ['all but 2 s', [10, null, null, null, 20], 15, true],
  ['all but 2 s at the beginning', [null, null, null, 20], 20, true],
  ['all but 1.5 s at the beginning', [null, null, 20], 20, false],
  ['all but 2 s at the end', [10, null, null, null], 10, true],
  ['all but 1 s at the end', [10, null], 10, false],
  ['all but 2 s, and later all but one sample', [10, null, null, null, 20, null, 30], 20, true],
])('%s of a time is known', (_, values, mean, isUnknown) => {
  const figure = partlyKnown(values);
  expect(figure.mean).toBe(mean);
  expect(figure.whyUnknown()).toBe(isUnknown ? 'it is absent' : null);
  expect(figure.meanOfAll()).toBe(isUnknown ? null : mean);
  expect(figure.whyUnknown(60)).toBe(mean === null && isUnknown ? 'it is absent' : null);
});

test('the most that it can have been is known where each sample bounds it', () => {
  const figure = new PartlyKnown();
  figure.add(1e9, 10);
  figure.add(1.5e9, 'it is absent', 30);
  expect([figure.mean, figure.mostMean]).toEqual([10, 20]);
  figure.add(2e9, 'it is absent');
  expect([figure.mean, figure.mostMean]).toEqual([10, null]);
  expect(new PartlyKnown().mostMean).toBeNull();
});
