import { expect, test } from 'vitest';
import { ndiConfigurationWith } from './ndi-configuration';

const own = JSON.stringify({
  ndi: { networks: { discovery: 'old', ips: '192.0.2.1' }, groups: { send: 'a', recv: 'b' } },
  other: 1,
});
const made = (text: string | null, set: Parameters<typeof ndiConfigurationWith>[1]): unknown =>
  JSON.parse(ndiConfigurationWith(text, set));

test('what is set stands in the place of the machine’s own, and all else stays', () => {
  expect(
    made(own, {
      discoveryServers: ['192.0.2.5', 'pc:5959'],
      groups: ['stage', 'show'],
      addresses: ['192.0.2.9'],
    }),
  ).toEqual({
    ndi: {
      networks: { discovery: '192.0.2.5,pc:5959', ips: '192.0.2.1' },
      groups: { send: 'stage,show', recv: 'stage,show' },
      adapters: { allowed: ['192.0.2.9'] },
    },
    other: 1,
  });
});

test('what is not set stays as the machine has it', () => {
  expect(made(own, { discoveryServers: [], groups: [] })).toEqual(JSON.parse(own));
  expect(made(null, { groups: ['stage'] })).toEqual({ ndi: { groups: { send: 'stage', recv: 'stage' } } });
});

test.each(['', 'x', '[]', 'null', '{"ndi":5}'])('%j is no configuration, and counts as none', (text) => {
  expect(made(text, { addresses: ['192.0.2.9'] })).toMatchObject({
    ndi: { adapters: { allowed: ['192.0.2.9'] } },
  });
});
