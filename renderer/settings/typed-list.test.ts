import { expect, test } from 'vitest';
import { changeProblem } from './change-problem';
import { listOf } from './typed-list';
import { numberOf } from './typed-number';

test('entries may have commas, spaces or lines between them', () => {
  expect(listOf(' 192.0.2.7,stage-pc ;192.0.2.9\n')).toEqual(['192.0.2.7', 'stage-pc', '192.0.2.9']);
  expect(listOf(' , ')).toEqual([]);
});

test('what is wrong is reported with the entry and an example', () => {
  expect(changeProblem({ searchHosts: listOf('192.0.2.7, -f') })).toMatchObject({
    field: 'searchHosts',
    value: '-f',
    remedy: expect.stringContaining('192.0.2.7'),
  });
  expect(changeProblem({ discoveryServers: listOf('pc:5959, 192.0.2.5') })).toBeNull();
  expect(changeProblem({ discoveryServers: listOf('a b c d e f g h i') })?.message).toContain('up to 8');
});

test('of the node of NMOS, what is wrong is reported with the field', () => {
  expect(
    changeProblem({ nmosNode: true, nmosRegistry: 'http://192.0.2.9:8010', nmosHost: '::1' }),
  ).toBeNull();
  expect(changeProblem({ nmosPort: numberOf('0') })).toBeNull();
  expect(changeProblem({ nmosRegistry: 'https://192.0.2.9:8443' })?.message).toBe(
    'Expected a URL of HTTP without a path, or nothing for “Registry” but received https://192.0.2.9:8443',
  );
  for (const change of [
    { nmosHost: 'stage-pc' },
    { nmosPort: 70_000 },
    { nmosReceivers: 0 },
    { nmosPort: numberOf('') },
    { nmosPort: numberOf('8o80') },
  ])
    expect(changeProblem(change), JSON.stringify(change)).toMatchObject({ field: Object.keys(change)[0] });
});
