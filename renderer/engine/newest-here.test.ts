import { expect, test } from 'vitest';
import { streamView } from '../testing/fixtures';
import { newestHere } from './newest-here';

test('of streams that several machines receive, the newest of this one is viewed in full size', () => {
  const [here, there] = [streamView(1), streamView(2, { receivedOn: 'render-1' })];
  expect(newestHere([here, there])).toBe(1);
  expect([newestHere([there]), newestHere([]), newestHere(undefined)]).toEqual([null, null, null]);
});
