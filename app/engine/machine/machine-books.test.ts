import { expect, test } from 'vitest';
import { lastCounted } from './machine-books';

test('where no file can be opened, a machine has as many cores as before', () => {
  const counts = [4, 4, 0, 2];
  const cores = lastCounted(() => counts.shift() ?? 0);
  expect([cores(), cores(), cores(), cores()]).toEqual([4, 4, 2, 2]);
});
