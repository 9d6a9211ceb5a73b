import { expect, test } from 'vitest';
import { Random, seeds } from '../../testing/random';
import { RunningQuantile } from './running-quantile';

/** By nearest rank, out of all of them. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? null;
}

test.each(seeds)('after each value it is that of all values (seed %i)', (seed) => {
  const random = new Random(seed);
  for (const share of [0, 0.5, 0.95, 1]) {
    const running = new RunningQuantile(share);
    expect(running.value).toBeNull();
    const values: number[] = [];
    for (let index = 0; index < 300; index++) {
      // Few values, so that many are equal; in between rising and falling ones.
      const value = index % 100 < 50 ? random.whole(0, 20) : index % 200 < 100 ? index : -index;
      values.push(value);
      running.add(value);
      expect(running.value, `${share} of ${values}`).toBe(quantile(values, share));
    }
  }
});
