import { expect, test } from 'vitest';
import { inOrder } from './reached-address';

test('addresses near one of the sender come first, and one that both machines have is none', () => {
  const ofReceiver = ['172.17.0.1', '192.0.2.9', '10.1.2.3', '203.0.113.4'];
  expect(inOrder(ofReceiver, ['172.17.0.1', '10.1.2.200'])).toEqual(['10.1.2.3', '192.0.2.9', '203.0.113.4']);
  expect(inOrder([], ['10.1.2.200'])).toEqual([]);
});
