import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { nmosNode } from '../../testing/nmos-resources';
import { lengthOf, readSeen } from './resources';

/** After all that nothing needs is gone. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test('of a long label its beginning is kept, and no more in memory', () => {
  const { sender } = nmosNode(1);
  const text = JSON.stringify({ ...sender, label: 'x'.repeat(5_000_000) });
  const before = heapBytes();
  const kept = Array.from({ length: 4 }, () => readSeen('sender', JSON.parse(text)));
  expect(heapBytes() - before).toBeLessThan(5e6);
  for (const one of kept) expect(one).toMatchObject({ label: 'x'.repeat(1000) });
});

test('the length of a resource is that of all its texts', () => {
  expect(lengthOf({ id: 'ab', isActive: true, peer: null, controls: [{ type: 'c', href: 'def' }] })).toBe(6);
});
