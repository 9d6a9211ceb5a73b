import { expect, test } from 'vitest';
import { FakeApplication } from '../../testing/fake-application';
import { SimulatedClock } from '../../testing/simulated-clock';
import { StandstillLog } from '../load/standstills';
import { StreamHosts } from './stream-hosts';

test('a host reports how long it stood still; one that is silent has not stood still for a second before', async () => {
  const standstills = new StandstillLog();
  const application = new FakeApplication();
  const hosts = new StreamHosts({
    ...{ application, transport: { name: 'ndi', candidates: [] }, wallOffsetUs: 0 },
    ...{ noteEvent: () => {}, onRecords: () => {}, onDeath: () => {}, onChange: () => {} },
    ...{ standstills, clock: new SimulatedClock() },
    revive: () => Promise.resolve(),
  });
  await hosts.start(['receiving']);
  const [host] = application.hosts;
  const who = { role: 'receiving' };
  expect(hosts.silencesUntil(20e9)).toEqual([]);
  host?.report({ atNs: 10e9 });
  expect(hosts.silencesUntil(11e9)).toEqual([]);
  expect(hosts.silencesUntil(11.1e9)).toEqual([{ who, kind: 'starved', fromNs: 10e9, toNs: 11.1e9 }]);
  const own = { kind: 'stopped' as const, fromNs: 10.05e9, toNs: 11.3e9 };
  host?.report({ atNs: 11.5e9, standstills: [own] });
  expect([hosts.silencesUntil(12e9), standstills.near(11e9, 12e9)]).toEqual([[], [{ who, ...own }]]);
});
