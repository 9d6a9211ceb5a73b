import { expect, test } from 'vitest';
import { symmetricDifferencePercent } from './symmetric-difference';

test('it is the first study’s percent difference of jumbo frames off and on', () => {
  const study: [off: number, on: number, percent: number][] = [
    [1185.64, 1238.39, 4.35],
    [400.19, 662.63, 49.39],
    [680.46, 944.95, 32.54],
    [6.71, 7.24, 7.6],
    [1024.41, 1233.87, 18.55],
    [467.04, 581.38, 21.81],
    [502.32, 933.02, 60.01],
    [6.47, 7.46, 14.21],
  ];
  for (const [off, on, percent] of study) {
    expect(symmetricDifferencePercent(off, on)).toBeCloseTo(percent, 1);
    expect(symmetricDifferencePercent(on, off)).toBeCloseTo(-percent, 1);
  }
});

test('its sign shows the better one, whichever way the figure is better', () => {
  expect(symmetricDifferencePercent(10, 30, 'higher')).toBe(100);
  expect(symmetricDifferencePercent(10, 30, 'lower')).toBe(-100);
  expect(symmetricDifferencePercent(10, 30, 'none')).toBe(100);
});

test('it is reported only where it says something', () => {
  expect(symmetricDifferencePercent(0, 0)).toBe(0);
  expect(symmetricDifferencePercent(0, 5)).toBe(200);
  expect(symmetricDifferencePercent(-5, 5)).toBeNull();
  expect(symmetricDifferencePercent(-5, -3)).toBeNull();
});
