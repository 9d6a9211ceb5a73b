import { expect, test } from 'vitest';
import { loadSample } from '../../testing/load-sample';
import type { InterfaceLoad, MachineChange } from '../load';
import { type AgentLoad, agentLoadOf, mostSamples, presenceOf } from './presence';

const eth0: InterfaceLoad = {
  ...{ name: 'eth0', loopback: false, receiveMbps: 5, transmitMbps: 6, errors: 0, dropped: 0 },
  ...{ receiveErrors: 0, transmitErrors: 0, receiveDropped: 0, transmitDropped: 0 },
  ...{ linkMbps: 1000, mtuBytes: 1500, notMeasured: {} },
};
const change: MachineChange = { atNs: 1, code: 'link-down', data: { name: 'eth0' } };

function many<Item>(item: Item, count: number): Item[] {
  return Array.from({ length: count }, () => item);
}

function presenceWith(load: unknown): unknown {
  return {
    ...{ protocol: 1, id: 'a1b2c3d4e5f6g7h8', name: 'render-1', version: '1.0.0', session: 's', bootId: '' },
    ...{ uptimeSeconds: 1, addresses: [], holder: null, hosts: [], senders: 0, receivers: 0, leaving: false },
    machine: {
      ...{ hostName: 'r', system: 'Linux', board: null, cpuModel: null, cores: 8, memoryMb: 1, gpus: null },
      ...{ interfaces: [], ndi: null, notKnown: {} },
    },
    limits: { streams: 4, format: null, minutes: null },
    ...{ load: null, samples: load },
  };
}

test('an agent reports links and changes with its load, the first of them where there are too many', () => {
  const load = agentLoadOf(loadSample({ interfaces: many(eth0, 300), changes: many(change, 300) }));
  expect([load?.interfaces.length, load?.changes.length]).toEqual([64, 64]);
  const linked = agentLoadOf(loadSample({ fullestLink: { name: 'eth0', mbps: 900, linkMbps: 1000 } }));
  expect(linked?.fullestLink?.mbps).toBe(900);
  expect(presenceOf(presenceWith([load]))?.samples).toEqual([load]);
});

const load = agentLoadOf(loadSample({ roles: {} })) as AgentLoad;
const changed = (data: object): object => ({ ...load, changes: [{ ...change, data }] });

test.each<[string, unknown]>([
  ['more samples than a lease bears', many(load, mostSamples + 1)],
  ['more changes than a sample has', [{ ...load, changes: many(change, 65) }]],
  ['a change that there is none of', [{ ...load, changes: [{ ...change, code: 'fire' }] }]],
  ['a change of many parts', [changed(Object.fromEntries(many(0, 9).map((_, n) => [`part${n}`, n])))]],
  ['a change with a long name', [changed({ name: 'x'.repeat(81) })]],
  ['a change with a list', [changed({ name: ['eth0'] })]],
  ['a change of no number', [changed({ byMs: Number.NaN })]],
  ['more interfaces than a sample has', [{ ...load, interfaces: many(eth0, 65) }]],
  ['traffic below 0', [{ ...load, interfaces: [{ ...eth0, receiveMbps: -1 }] }]],
])('%s is no presence', (_, samples) => {
  expect(presenceOf(presenceWith(samples))).toBeUndefined();
});

test('a name does nothing in a terminal', () => {
  const name = 'eth0\u001b[2J';
  const [heard] = presenceOf(presenceWith([changed({ name })]))?.samples ?? [];
  expect(heard?.changes[0]?.data.name).toBe('eth0\\u001b[2J');
});

test('an agent that does not say its samples yet is understood', () => {
  const { samples: _, ...earlier } = Object(presenceWith([]));
  expect(presenceOf(earlier)).toMatchObject({ samples: [], network: '' });
});
