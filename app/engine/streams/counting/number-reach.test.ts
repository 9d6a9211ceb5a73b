import { expect, test } from 'vitest';
import { NumberReach } from './number-reach';

const rate = { periodNs: 1e9 / 60 };
const secondNs = 1e9;

test('numbers rise with time: after a pause by all that was due meanwhile, at once by a minute’s', () => {
  const reach = new NumberReach(rate);
  expect(reach.take(5_000_000, 0)).toBe(true);
  expect(reach.take(5_000_001, secondNs / 60)).toBe(true);
  expect(reach.allows(5_000_001 + 3700, secondNs / 60)).toBe(false);
  expect(reach.take(5_000_001 + 3500, secondNs / 60)).toBe(true);
  expect(reach.take(5_000_001 + 3500 + 3600 * 60, 3600 * secondNs)).toBe(true);
});

test('a sender that jumps again and again gets no farther than ten times its rate', () => {
  const reach = new NumberReach(rate);
  let highest = 0;
  reach.take(highest, 0);
  for (let picture = 0; picture < 6000; picture++)
    for (const jump of [2 ** 25, 3000, 300, 30, 3])
      if (reach.take(highest + jump, (picture * secondNs) / 60)) highest += jump;
  expect(highest).toBeLessThan(10 * 6000 + 60 * 60 + 1);
});

test('where the schedule is known, the first number is one that can have been sent by then', () => {
  const slotFrom = (atNs: number): number => Math.ceil(atNs / rate.periodNs);
  const reach = new NumberReach(rate, { slotFrom });
  expect(reach.allows(2 ** 25, 100 * secondNs)).toBe(false);
  expect(reach.allows(160 * 60, 100 * secondNs)).toBe(true);
  expect(reach.allows(161 * 60, 100 * secondNs)).toBe(false);
});

test('a wrong rate by a device on the way is none of its business', () => {
  const reach = new NumberReach({ periodNs: 1e9 / 15 });
  for (let slot = 0; slot < 60 * 600; slot++) expect(reach.take(slot, (slot * secondNs) / 60)).toBe(true);
});
