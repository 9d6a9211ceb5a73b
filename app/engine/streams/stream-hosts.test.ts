import { describe, expect, test } from 'vitest';
import type { RecordsMessage } from '../../protocol/host';
import { FakeApplication, FakeHost } from '../../testing/fake-application';
import { SimulatedClock } from '../../testing/simulated-clock';
import type { HostProcess, HostRole, RemoteMachine } from '../host-application';
import { StandstillLog } from '../load/standstills';
import { MachineClock } from '../machines/machine-clock';
import { SampledSide } from '../machines/machine-side';
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

describe('hosts on another machine', () => {
  const aheadNs = 7200e9;
  const simulated = new SimulatedClock();

  /** A machine of the fleet whose hosts answer for the time of a clock that is two hours ahead. */
  class OtherMachine extends SampledSide implements RemoteMachine {
    readonly id = 'a1b2c3d4e5f6g7h8';
    readonly addresses = ['192.0.2.7'];
    readonly unreachableSinceNs = null;
    readonly clock = new MachineClock();
    readonly wallOffsetUs = 5e6;
    readonly hosts: FakeHost[] = [];

    spawnStreamHost(role: HostRole): HostProcess {
      const host = new FakeHost(role, ({ name }) => {
        const heardNs = simulated.monotonicNs() + aheadNs;
        return name === 'time' ? { heardNs, repliedNs: heardNs } : null;
      });
      this.hosts.push(host);
      return {
        machine: this,
        post: (request) => host.post(request),
        onMessage: (listener) => host.onMessage(listener),
        onExit: (listener) => host.onExit(listener),
        kill: () => host.kill(),
      };
    }
  }

  function hostsOf(machine: OtherMachine | null, onRecords: (message: RecordsMessage) => void): StreamHosts {
    const application = new FakeApplication();
    return new StreamHosts({
      application: Object.assign(application, { findMachine: async () => machine }),
      ...{ transport: { name: 'ndi', candidates: [] }, wallOffsetUs: 0, clock: simulated, onRecords },
      ...{ noteEvent: () => {}, onDeath: () => {}, onChange: () => {}, revive: () => Promise.resolve() },
      standstills: new StandstillLog(),
    });
  }

  test('start with the offset of their machine, and report in our time, without process ids', async () => {
    const machine = new OtherMachine('render-1');
    const records: RecordsMessage[] = [];
    const hosts = hostsOf(machine, (message) => records.push(message));
    await simulated.until(hosts.start(['sending', 'receiving']));
    await simulated.until(hosts.restart({ sendOn: 'render-1' }));
    const [host] = machine.hosts;
    expect(host?.named('start')).toMatchObject([{ wallOffsetUs: 5e6 }]);
    expect(machine.clock.isKnown).toBe(true);
    const nowNs = simulated.monotonicNs();
    host?.report({ atNs: nowNs + aheadNs });
    await simulated.pass(0);
    expect(records).toMatchObject([{ processIds: [] }]);
    expect(records[0]?.atNs).toBeCloseTo(nowNs, -6);
    expect(hosts.processIds('sending')).toEqual([]);
    // The network between may be silent for a while.
    await simulated.pass(3000);
    expect(hosts.silencesUntil(simulated.monotonicNs())).toEqual([]);
    await hosts.close();
  });

  test('one that no agent of the name runs is refused', async () => {
    const hosts = hostsOf(null, () => {});
    await simulated.until(hosts.start(['sending', 'receiving']));
    await expect(simulated.until(hosts.restart({ receiveOn: 'display-9' }))).rejects.toMatchObject({
      ...{ code: 'BAD_INPUT', field: 'receiveOn', value: 'display-9' },
    });
    await hosts.close();
  });
});
