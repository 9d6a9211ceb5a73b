import { expect, test } from 'vitest';
import { SampleRing } from './sample-ring';

test('keeps the newest samples up to its capacity, over many turns', () => {
  const ring = new SampleRing(2, 5);
  for (let time = 1; time <= 23; time += 1) ring.push(time, [time * 10, time * 100]);
  expect(ring.length).toBe(5);
  expect(ring.window(0, 100)).toEqual([
    [19, 20, 21, 22, 23],
    [190, 200, 210, 220, 230],
    [1900, 2000, 2100, 2200, 2300],
  ]);
});

test('gives null for what was not measured', () => {
  const ring = new SampleRing(2, 5);
  ring.push(1, [null, 4]);
  expect(ring.window(0, 2)).toEqual([[1], [null], [4]]);
  expect(ring.last(0)).toBeNull();
  expect(ring.last(1)).toBe(4);
});

test('a window brings one sample beyond either edge', () => {
  const ring = new SampleRing(1, 100);
  for (let time = 0; time < 50; time += 1) ring.push(time, [time]);
  expect(ring.window(10, 12)[0]).toEqual([9, 10, 11, 12]);
  expect(ring.window(11.5, 12.5)[0]).toEqual([11, 12, 13]);
});

test('leaves out a sample that is not newer', () => {
  const ring = new SampleRing(1, 5);
  ring.push(2, [2]);
  ring.push(2, [3]);
  ring.push(1, [1]);
  expect(ring.length).toBe(1);
  expect(ring.lastTime).toBe(2);
});

test('is empty after clear', () => {
  const ring = new SampleRing(1, 5);
  ring.push(1, [1]);
  ring.clear();
  expect(ring.window(0, 10)).toEqual([[], []]);
  expect(ring.last(0)).toBeNull();
});
