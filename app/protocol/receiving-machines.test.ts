import { expect, test } from 'vitest';
import { streamLoadParameters } from '../experiments/stream-load/declaration';
import { receiversOf } from './stream-parameters';

test('machines that receive are named in their order, this one among them', () => {
  expect(receiversOf({})).toEqual([undefined]);
  expect(receiversOf({ receiveOn: 'display-1' })).toEqual(['display-1']);
  expect(receiversOf({ receiveOn: 'display-2, this machine,display-1' })).toEqual([
    ...['display-2', undefined, 'display-1'],
  ]);
});

test.each([
  [
    'display-1,display-2,display-1',
    'Expected each machine once for receiveOn but received display-1 twice. Leave',
  ],
  ['this machine,this machine', 'received this machine twice'],
  [
    'this machine,display-1,Display-1',
    'Expected names that differ by more than case for receiveOn but received display-1 and Display-1. Write',
  ],
  [
    'display-1,,display-2',
    'names of 1 to 63 characters with a comma between each two for receiveOn but received',
  ],
  ['', 'names of 1 to 63 characters'],
  ['x'.repeat(64), 'names of 1 to 63 characters'],
  [
    Array.from({ length: 17 }, (_, index) => `d${index}`).join(),
    'at most 16 machines for receiveOn but received 17 of them. Name fewer',
  ],
])('%s is refused with field, value and remedy', (receiveOn, words) => {
  const { error } = streamLoadParameters.safeParse({ receiveOn });
  expect(error?.issues).toMatchObject([{ path: ['receiveOn'], message: expect.stringContaining(words) }]);
});
