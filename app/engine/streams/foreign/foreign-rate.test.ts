import { expect, test } from 'vitest';
import { Random } from '../../../testing/random';
import { fits, isGapless, isMultiple, rateOf, steadyUs, stepsBeforeChange } from './foreign-rate';

const declaredUs = 1e6 / 60;

function steps(periods: (index: number) => number, count = 60): number[] {
  return Array.from({ length: count }, (_, index) => periods(index) * declaredUs);
}

test('frames come at the declared rate, with some of them lost', () => {
  expect(
    rateOf(
      steps(() => 1),
      declaredUs,
    ),
  ).toEqual({ kind: 'declared', periodUs: declaredUs });
  const lossy = steps((index) => [1, 1, 3, 1, 1, 1, 1, 1, 12, 1, 1, 1, 1, 1, 1][index % 15] ?? 1);
  expect(rateOf(lossy, declaredUs)).toEqual({ kind: 'declared', periodUs: declaredUs });
});

test.each([
  ['half', 2],
  ['two and a half times', 2.5],
  ['1.2 times', 1.2],
  ['twice', 0.5],
  ['98 of a hundredth of', 1 / 0.98],
])('frames at %s the declared period are measured', (_, periods) => {
  const found = rateOf(
    steps(() => periods),
    declaredUs,
  );
  expect(found).toMatchObject({ kind: 'measured', periodUs: expect.closeTo(periods * declaredUs, 3) });
});

test('frames in turns of two and three periods come at the rate between', () => {
  expect(
    rateOf(
      steps((index) => 2 + (index % 2)),
      declaredUs,
    )?.periodUs,
  ).toBeCloseTo(2.5 * declaredUs, 0);
});

test.each([
  ['every third frame lost, or two of three sent', (index: number) => 1 + (index % 2)],
  [
    'one of five frames lost, or 50 a second sent at the times of 60',
    (index: number) => (index % 4 === 0 ? 2 : 1),
  ],
  ['most frames lost, or sent on change', (index: number) => [1, 3, 1, 7, 2, 5, 4, 1, 9, 2][index % 10] ?? 1],
])('with %s: no rate can be told', (_, periods) => {
  expect(rateOf(steps(periods), declaredUs)).toBeNull();
  expect(fits(steps(periods), declaredUs)).toBe(false);
});

test('a rate that is measured is that of a line through all frames, lost ones or not', () => {
  const random = new Random(4);
  let jitter = 0;
  const noisy = steps((index) => ([6, 13, 31, 50].includes(index) ? 6 : 2)).map((step) => {
    const before = jitter;
    jitter = (random.next() * 2 - 1) * 2000;
    return step + jitter - before;
  });
  expect(Math.abs((steadyUs(noisy) ?? 0) / (2 * declaredUs) - 1)).toBeLessThan(0.001);
});

test('frames at no steady rate have none', () => {
  const random = new Random(11);
  const wild = steps(() => 0.5 + 3 * random.next(), 200);
  expect(rateOf(wild, declaredUs)).toBeNull();
  expect(fits(wild, declaredUs)).toBe(false);
});

test('frames of a quicker rate may hide gaps', () => {
  expect(
    isGapless(
      steps((index) => (index === 5 ? 1.5 : 0.5), 12),
      declaredUs,
    ),
  ).toBe(false);
  expect(
    isGapless(
      steps(() => 1.2, 12),
      declaredUs,
    ),
  ).toBe(true);
  expect(
    isGapless(
      steps((index) => (index === 5 ? 2 : 1), 12),
      declaredUs,
    ),
  ).toBe(false);
});

test('two rates one after the other are not one between', () => {
  expect(steadyUs(steps((index) => (index < 30 ? 1 : 1.25)))).toBeNull();
});

test('a change is found where it was', () => {
  const changed = steps((index) => (index < 23 ? 1 : 1.2));
  expect(stepsBeforeChange(changed, declaredUs, 1.2 * declaredUs)).toBe(23);
  expect(fits(changed, declaredUs)).toBe(false);
  expect([isMultiple(2 * declaredUs, declaredUs), isMultiple(1.2 * declaredUs, declaredUs)]).toEqual([
    true,
    false,
  ]);
});
