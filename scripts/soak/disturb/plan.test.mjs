import { expect, test } from 'vitest';
import { experiments as real } from './experiments.mjs';
import { matrixPlans, plannedRuns, stopPlans } from './plan.mjs';

const experiments = ['a', 'b', 'c'].map((id) => ({ id, seconds: 10 }));

function planned(seed, count) {
  const runs = plannedRuns(seed, experiments);
  return Array.from({ length: count }, () => runs.next().value);
}

test('a seed says what is done when, and another seed says otherwise', () => {
  expect(planned(1, 30)).toEqual(planned(1, 30));
  expect(planned(1, 30)).not.toEqual(planned(2, 30));
});

test('each experiment comes once in each turn, and a third of the runs is left alone', () => {
  const runs = planned(1, 3000);
  for (let turn = 0; turn < 1000; turn++)
    expect(
      runs
        .slice(3 * turn, 3 * turn + 3)
        .map(({ experiment }) => experiment.id)
        .sort(),
    ).toEqual(['a', 'b', 'c']);
  const left = runs.filter(({ disturbances }) => disturbances.length === 0).length;
  expect(left).toBeGreaterThan(900);
  expect(left).toBeLessThan(1100);
});

test('every kind and length of disturbance comes within the run', () => {
  const all = planned(1, 3000).flatMap(({ disturbances }) => disturbances);
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['stop', 'kill', 'hog']));
  const stops = all.filter(({ kind }) => kind === 'stop');
  expect(new Set(stops.map(({ seconds }) => seconds))).toEqual(new Set([0.2, 0.7, 1.2, 3]));
  expect(all.filter(({ atSeconds }) => atSeconds < 0.5 || atSeconds > 10)).toEqual([]);
});

test('the matrix has each process alone in every way, and pairs of processes that are there', () => {
  const roles = real.flatMap(({ id, roles }) => roles.map((role) => `${id}: ${role}`));
  const stops = stopPlans(real);
  expect(stops.map(({ experiment, disturbances: [{ role }] }) => `${experiment.id}: ${role}`)).toEqual(roles);
  const matrix = matrixPlans(1, real);
  const alone = matrix.filter(({ disturbances }) => disturbances.length === 1);
  const ofOne = alone.filter(({ disturbances: [{ kind }] }) => kind !== 'hog');
  expect(ofOne).toHaveLength(roles.length * 4 * 3);
  expect(alone).toHaveLength(ofOne.length + real.length * 2 * 3);
  expect(matrixPlans(1, real)).toEqual(matrix);
  expect(matrixPlans(2, real)).not.toEqual(matrix);
  const pairs = matrix.filter(({ disturbances }) => disturbances.length === 2);
  expect(pairs).toHaveLength(10);
  for (const { experiment, disturbances } of matrix)
    for (const { kind, role, atSeconds } of disturbances) {
      if (kind !== 'hog') expect(real.some(({ roles }) => roles.includes(role))).toBe(true);
      expect(atSeconds).toBeLessThan(experiment.seconds);
    }
  expect(
    matrixPlans(
      1,
      real.filter(({ id }) => id === 'quiet'),
    ),
  ).toHaveLength(18);
});
