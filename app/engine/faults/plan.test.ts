import { expect, test } from 'vitest';
import { faultsText } from '../../protocol/faults';
import { faultVerbs } from '../../protocol/records';
import { seeds } from '../../testing/random';
import { checkFaults } from './expected-counts';
import { leastPlanFrames, randomPlan } from './plan';
import { Random } from './random';

const rate = { numerator: 60, denominator: 1 };

test('a plan comes again with its seed, and another one with another', () => {
  const text = (seed: number): string => faultsText(randomPlan(new Random(seed), 1800, rate));
  expect(text(1)).toBe(text(1));
  expect(text(1)).not.toBe(text(2));
});

test.each(seeds)(
  'every plan has every verb but the one that grey pictures do not show, and can be distinguished (from seed %i)',
  (seed) => {
    for (let plan = 0; plan < 300; plan++) {
      const random = new Random(seed + plan);
      const frames = plan % 2 === 0 ? leastPlanFrames : random.whole(leastPlanFrames, 10_000);
      const faults = randomPlan(random, frames, rate);
      expect(new Set(faults.map(({ verb }) => verb)).size, `seed ${random.seed}`).toBe(faultVerbs.length - 1);
      checkFaults(faults, rate, frames);
    }
  },
);
