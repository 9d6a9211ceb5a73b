import { expect, test } from 'vitest';
import { Random } from '../../../testing/random';
import { judgeSteps } from './foreign-rate';

const declaredUs = 1e6 / 60;

function steps(periods: (index: number) => number, count = 60): number[] {
  return Array.from({ length: count }, (_, index) => periods(index) * declaredUs);
}

test.each([
  ['as declared', () => 1],
  ['with every third frame lost', (index: number) => (index % 2 === 0 ? 1 : 2)],
  [
    'with three of four frames lost at random',
    (index: number) => [1, 3, 1, 7, 2, 5, 4, 1, 9, 2][index % 10] ?? 1,
  ],
])('frames %s come at the declared rate', (_, periods) => {
  expect(judgeSteps(steps(periods), declaredUs, null)).toEqual({ kind: 'declared', periodUs: declaredUs });
});

test.each([
  ['half', 2],
  ['two and a half times', 2.5],
  ['twice', 0.5],
  ['98 of a hundredth of', 1 / 0.98],
])('frames at %s the declared period are measured', (_, periods) => {
  const judgement = judgeSteps(
    steps(() => periods),
    declaredUs,
    null,
  );
  expect(judgement).toMatchObject({ kind: 'measured', periodUs: expect.closeTo(periods * declaredUs, 3) });
});

test('a rate that is measured is that of a line through all frames, lost ones or not', () => {
  const random = new Random(4);
  let jitter = 0;
  const noisy = steps((index) => (index % 7 === 0 ? 6 : 2)).map((step) => {
    const before = jitter;
    jitter = (random.next() * 2 - 1) * 2000;
    return step + jitter - before;
  });
  const judgement = judgeSteps(noisy, declaredUs, null);
  expect(judgement).toMatchObject({ kind: 'measured' });
  if ('periodUs' in judgement)
    expect(Math.abs(judgement.periodUs / (2 * declaredUs) - 1)).toBeLessThan(0.001);
});

test('frames at no steady rate have none, known before or not', () => {
  const random = new Random(11);
  const wild = steps(() => 0.5 + 3 * random.next(), 200);
  expect(judgeSteps(wild, declaredUs, null)).toEqual({ kind: 'variable' });
  expect(judgeSteps(wild, declaredUs, declaredUs)).toEqual({ kind: 'variable' });
});

test('a rate once known stays, unless nearly all steps agree on another', () => {
  const mostlyTwo = steps((index) => (index % 10 === 0 ? 1 : 2));
  expect(judgeSteps(mostlyTwo, declaredUs, declaredUs)).toEqual({ kind: 'as-before' });
  const two = steps(() => 2);
  expect(judgeSteps(two, declaredUs, declaredUs)).toMatchObject({ kind: 'measured' });
  const starved = steps((index) => [12, 9, 14, 3, 11][index % 5] ?? 1);
  expect(judgeSteps(starved, declaredUs, declaredUs)).toEqual({ kind: 'as-before' });
});
