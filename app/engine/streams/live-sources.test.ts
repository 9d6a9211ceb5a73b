import { expect, test } from 'vitest';
import { liveSourcesOf } from './live-sources';

test('a source that is listed under each address of its machine is one', () => {
  const discovered = [
    { name: 'VM (b)', address: '127.0.0.1:5961' },
    { name: 'VM (a)', address: '' },
    { name: 'VM (b)', address: '192.0.2.7:5961' },
    { name: 'VM (b)', address: '127.0.0.1:5961' },
  ];
  expect(liveSourcesOf(discovered, [])).toEqual([
    { name: 'VM (a)', addresses: [], sender: 'other' },
    { name: 'VM (b)', addresses: ['127.0.0.1:5961', '192.0.2.7:5961'], sender: 'other' },
  ]);
});
