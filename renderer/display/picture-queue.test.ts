import { expect, test } from 'vitest';
import { PictureQueue } from './picture-queue';

test('pictures are drawn in their order, one by one', () => {
  const queue = new PictureQueue<number>();
  expect(queue.push(1)).toBeNull();
  expect(queue.push(2)).toBeNull();
  expect([queue.next(), queue.next(), queue.next()]).toEqual([1, 2, null]);
});

test('of more than two the oldest gives way', () => {
  const queue = new PictureQueue<number>();
  expect([1, 2, 3, 4].map((picture) => queue.push(picture))).toEqual([null, null, 1, 2]);
  expect(queue.clear()).toEqual([3, 4]);
  expect(queue.next()).toBeNull();
});
