import { expect, test } from 'vitest';
import { outOfReachText } from './reach';

const far = 'http://192.0.2.2:8093';

test.each([
  [['127.0.0.1'], [far], '127.0.0.1'],
  [['127.0.0.1', '::1'], ['http://127.0.0.1:8010', far], '127.0.0.1 and ::1'],
])('a node at %j with the registries %j is out of reach of others', (hosts, registries, named) => {
  expect(outOfReachText(hosts, registries)).toBe(
    `Other machines cannot reach this node at ${named}, and its registry ${far} is not at loopback. Give --listen an address of this machine that other machines can reach`,
  );
});

test.each([
  [['127.0.0.1', '192.0.2.7'], [far]],
  [['127.0.0.1'], ['http://127.0.0.2:8010', 'http://[::1]:8010', 'http://localhost:8010']],
])('a node at %j with the registries %j is in reach, or a set-up of one machine', (hosts, registries) => {
  expect(outOfReachText(hosts, registries)).toBeNull();
});
