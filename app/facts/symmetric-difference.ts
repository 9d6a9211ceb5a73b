import type { Direction } from './metrics/metric';

/**
 * How much b differs from a, in percent of their mean: the first study's "diff", |b − a| / mean(a, b), with a sign.
 * Of a figure that is better when it is lower, positive still means that b is the better one; of one with no better
 * way, that b is the larger one. Null if the mean is 0 or less, since such a percentage says nothing.
 */
export function symmetricDifferencePercent(
  a: number,
  b: number,
  direction: Direction = 'higher',
): number | null {
  if (a === b) return 0;
  const mean = (a + b) / 2;
  if (!(mean > 0)) return null;
  const percent = (100 * (b - a)) / mean;
  return direction === 'lower' ? -percent : percent;
}
