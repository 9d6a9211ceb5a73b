import { expect, test } from 'vitest';
import { listOf, problemOfList } from './typed-list';

test('entries may have commas, spaces or lines between them', () => {
  expect(listOf(' 192.0.2.7,stage-pc ;192.0.2.9\n')).toEqual(['192.0.2.7', 'stage-pc', '192.0.2.9']);
  expect(listOf(' , ')).toEqual([]);
});

test('what is wrong is reported with the entry and an example', () => {
  expect(problemOfList('searchHosts', '192.0.2.7, -f')).toMatchObject({
    field: 'searchHosts',
    value: '-f',
    remedy: expect.stringContaining('192.0.2.7'),
  });
  expect(problemOfList('discoveryServers', 'pc:5959, 192.0.2.5')).toBeNull();
  expect(problemOfList('discoveryServers', 'a b c d e f g h i')?.message).toContain('up to 8');
});
