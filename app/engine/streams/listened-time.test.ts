import { expect, test } from 'vitest';
import { ListenedTime } from './listened-time';

test.each<[string, number[], number]>([
  ['looks in time', [0, 0.25, 0.5, 0.75, 1], 1],
  ['this process was stopped for 20 s', [0, 0.25, 20.25, 20.5], 0.25],
  ['it is late each time', [0, 1, 2, 3], 1],
])('%s', (_, seconds, expected) => {
  const listened = new ListenedTime();
  for (const one of seconds) listened.look(one * 1e9);
  expect(listened.since(0)).toBe(expected * 1e9);
});
