import { expect, test } from 'vitest';
import { FakeApplication } from '../../testing/fake-application';
import { LivingHosts } from './living-hosts';

test('a host that sends nothing for more than a second stood still; one that is late by less did not', async () => {
  const application = new FakeApplication();
  const hosts = new LivingHosts({
    ...{ application, ndiCandidates: [], wallOffsetUs: 0 },
    ...{ noteEvent: () => {}, onRecords: () => {}, onDeath: () => {}, onChange: () => {} },
    revive: () => Promise.resolve(),
  });
  await hosts.start(['receiving']);
  const [host] = application.hosts;
  for (const atNs of [10e9, 10.25e9, 11.2e9, 13.2e9, 13.45e9]) host?.report({ atNs });
  expect(hosts.silences).toEqual([{ role: 'receiving', fromNs: 11.2e9, toNs: 13.2e9 }]);
});
