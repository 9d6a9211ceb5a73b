import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { areApart, moveEnds, topologyOf, wayText } from './on-machines';

test.each([
  [{}, 'over loopback', 'loopback', false],
  [
    { sendOn: 'render-1' },
    ...['from render-1 to this machine', 'sender on render-1, receiver on this machine', true],
  ],
  [{ sendOn: 'a', receiveOn: 'a' }, 'from a to a', 'sender and receiver on a', false],
  [
    { receiveOn: 'b,this machine' },
    'from this machine to b and this machine in turn',
    'sender on this machine, receivers on b and this machine in turn',
    true,
  ],
  [
    { sendOn: 'a', receiveOn: 'b,c,a' },
    'from a to b, c and a in turn',
    'sender on a, receivers on b, c and a in turn',
    true,
  ],
] as const)('%j in words', (places, way, topology, isApart) => {
  expect(wayText(places)).toBe(way);
  expect(topologyOf(places)).toContain(topology);
  expect(areApart(places)).toBe(isApart);
});

test('a machine that has this one’s name is not told apart from it', async () => {
  const set = { restart: () => Promise.reject(new Error('it was started')) };
  await expect(moveEnds(set, { receiveOn: `this machine,${hostname()}` })).rejects.toMatchObject({
    ...{ code: 'BAD_INPUT', field: 'receiveOn' },
  });
});
