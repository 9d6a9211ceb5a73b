import { describe, expect, test, vi } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import type { RecordsMessage } from '../../protocol/host';
import { FakeApplication, fleetThatFinds } from '../../testing/fake-application';
import { OtherMachine } from '../../testing/other-machine';
import { SimulatedClock } from '../../testing/simulated-clock';
import { StandstillLog } from '../load/standstills';
import { deathFacts } from './dead-process';
import { HostConnection } from './host-connection';
import { type NoteEvent, StreamHosts } from './stream-hosts';

test('a host reports how long it stood still; one that is silent has not stood still for a second before', async () => {
  const standstills = new StandstillLog();
  const application = new FakeApplication();
  const clock = new SimulatedClock();
  const hosts = new StreamHosts({
    ...{ application, transport: { name: 'ndi', candidates: [] }, wallOffsetUs: 0 },
    ...{ noteEvent: () => {}, onRecords: () => {}, onDeath: () => {}, onChange: () => {}, onLook: () => {} },
    ...{ standstills, clock },
    revive: () => Promise.resolve(),
  });
  await hosts.start(['receiving']);
  const [host] = application.hosts;
  const who = { role: 'receiving' };
  const silences = () => hosts.silencesUntil(clock.monotonicNs());
  const fromNs = clock.monotonicNs();
  expect(silences()).toEqual([]);
  host?.report({ atNs: fromNs });
  await clock.pass(1000);
  expect(silences()).toEqual([]);
  await clock.pass(300);
  expect(silences()).toEqual([{ who, kind: 'starved', fromNs, toNs: fromNs + 1.3e9 }]);
  const own = { kind: 'stopped' as const, fromNs: fromNs + 0.05e9, toNs: fromNs + 1.3e9 };
  host?.report({ atNs: fromNs + 1.5e9, standstills: [own] });
  expect([silences(), standstills.near(fromNs, fromNs + 2e9)]).toEqual([[], [{ who, ...own }]]);
  await hosts.close();
});

test('what is not read yet is not reported, and is no silence: this process itself stood still', async () => {
  const application = new FakeApplication();
  const clock = new SimulatedClock();
  const hosts = new StreamHosts({
    ...{ application, transport: { name: 'ndi', candidates: [] }, wallOffsetUs: 0 },
    ...{ noteEvent: () => {}, onRecords: () => {}, onDeath: () => {}, onChange: () => {}, onLook: () => {} },
    ...{ standstills: new StandstillLog(), clock },
    revive: () => Promise.resolve(),
  });
  await hosts.start(['sending', 'receiving']);
  const heardNs = clock.monotonicNs();
  for (const host of application.hosts) host.report({ atNs: heardNs });
  clock.stall(20_000);
  await clock.pass(20);
  const nowNs = clock.monotonicNs();
  expect(hosts.reportedToNs(nowNs)).toBe(heardNs);
  expect(hosts.countedToNs(nowNs)).toBe(heardNs + 1e9);
  // The sender's backlog is read before the receiver's.
  application.host('sending').report({ atNs: nowNs });
  expect([hosts.reportedToNs(nowNs), hosts.silencesUntil(nowNs)]).toEqual([heardNs, []]);
  application.host('receiving').report({ atNs: nowNs });
  expect(hosts.reportedToNs(nowNs)).toBe(nowNs);
  await hosts.close();
});

describe('hosts on another machine', () => {
  const aheadNs = 7200e9;
  const simulated = new SimulatedClock();

  function hostsOf(
    machine: OtherMachine | null,
    onRecords: (message: RecordsMessage) => void,
    noteEvent: NoteEvent = () => undefined,
  ): StreamHosts {
    const application = new FakeApplication();
    return new StreamHosts({
      application: Object.assign(application, { fleet: fleetThatFinds(async () => machine) }),
      ...{ transport: { name: 'ndi', candidates: [] }, wallOffsetUs: 0, clock: simulated, onRecords },
      ...{
        noteEvent,
        onDeath: () => {},
        onChange: () => {},
        onLook: () => {},
        revive: () => Promise.resolve(),
      },
      standstills: new StandstillLog(),
    });
  }

  test('a machine on which none runs any more is given back', async () => {
    const machine = new OtherMachine('render-1', simulated, aheadNs);
    const hosts = hostsOf(machine, () => undefined);
    await simulated.until(hosts.start(['sending', 'receiving']));
    await simulated.until(hosts.restart({ sendOn: 'render-1' }));
    await simulated.until(hosts.restart({ sendOn: 'render-1', receiveOn: ['render-1'] }));
    expect(machine.released).toBe(0);
    await simulated.until(hosts.restart());
    expect(machine.released).toBe(1);
  });

  test('of one whose machine is gone nothing is reported behind its last message', async () => {
    const machine = new OtherMachine('render-1', simulated, aheadNs);
    const hosts = hostsOf(machine, () => undefined);
    await simulated.until(hosts.start(['sending', 'receiving']));
    await simulated.until(hosts.restart({ sendOn: 'render-1' }));
    const heardNs = simulated.monotonicNs();
    machine.host.report({ atNs: heardNs + aheadNs });
    await simulated.pass(500);
    const { host } = machine;
    machine.spawnStreamHost = () => {
      throw new Error('its agent is gone');
    };
    host.die(1);
    await simulated.pass(20_000);
    expect(hosts.reportedToNs(simulated.monotonicNs())).toBeCloseTo(heardNs, -6);
  });

  test('one that could not be started again is back, and said so, once all were started anew', async () => {
    const machine = new OtherMachine('render-1', simulated, aheadNs);
    const events: string[] = [];
    const hosts = hostsOf(
      machine,
      () => undefined,
      (kind, text, details) => events.push(`${kind} ${text} ${JSON.stringify(details)}`),
    );
    await simulated.until(hosts.start(['sending', 'receiving']));
    await simulated.until(hosts.restart({ sendOn: 'render-1' }));
    const { host } = machine;
    const spawn = machine.spawnStreamHost;
    machine.spawnStreamHost = () => {
      throw new Error('its agent is gone');
    };
    host.die(1);
    await simulated.until(hosts.recovery);
    expect(hosts.lost).toBe(true);
    machine.spawnStreamHost = spawn;
    events.length = 0;
    await simulated.until(hosts.restart({ sendOn: 'render-1' }));
    await simulated.until(hosts.restart({ sendOn: 'render-1' }));
    expect(events).toEqual([
      'host-started The sending process on render-1 was started again {"role":"sending","machine":"render-1"}',
    ]);
    await hosts.close();
  });

  test('start with the offset of their machine, and report in our time, without process ids', async () => {
    const machine = new OtherMachine('render-1', simulated, aheadNs);
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

  test('one that reports what cannot be is given up by the name of its machine, with field and value, and started anew', async () => {
    const machine = new OtherMachine('render-1', simulated, aheadNs);
    const [records, events]: [RecordsMessage[], string[]] = [[], []];
    const hosts = hostsOf(
      machine,
      (message) => records.push(message),
      (_, text) => events.push(text),
    );
    await simulated.until(hosts.start(['sending', 'receiving']));
    await simulated.until(hosts.restart({ sendOn: 'render-1' }));
    const [host] = machine.hosts;
    const atNs = simulated.monotonicNs() + aheadNs;
    host?.report({ atNs: atNs + 3600e9 });
    host?.report({ atNs });
    expect([host?.killed, records]).toEqual([true, []]);
    const why =
      'was given up: what render-1 reported cannot be true. Expected a time that has come for atNs but received one 3600.0 s ahead';
    expect(hosts.died).toMatchObject([{ machine: 'render-1', why }]);
    expect(wordsOf(deathFacts('process-died', hosts.died))).toBe(`the sending process on render-1 ${why}`);
    await simulated.until(hosts.recovery);
    expect(events).toEqual([
      `The sending process on render-1 ${why}`,
      'The sending process on render-1 was started again',
    ]);
    expect(machine.hosts).toHaveLength(2);
    await hosts.close();
  });

  test('one that reports progress without end is silent after a minute', async () => {
    vi.useFakeTimers();
    const machine = new OtherMachine('render-1', simulated, aheadNs);
    const events = { onRecords: () => undefined, onDeath: () => undefined };
    const connection = new HostConnection('sending', machine.spawnStreamHost('sending'), events, simulated);
    const [host] = machine.hosts;
    if (host) host.deafTo = 'discover';
    const asked = connection.request({ name: 'discover', seconds: 1 }).catch((error) => error);
    for (let second = 0; second < 60; second += 5) {
      host?.progress(second, 0);
      await vi.advanceTimersByTimeAsync(5000);
    }
    expect(await asked).toMatchObject({
      ...{
        code: 'HOST_SILENT',
        message: 'The sending process on render-1 did not answer discover within 60 s',
      },
    });
    vi.useRealTimers();
  });

  test('one that no agent of the name runs is refused', async () => {
    const hosts = hostsOf(null, () => {});
    await simulated.until(hosts.start(['sending', 'receiving']));
    await expect(simulated.until(hosts.restart({ receiveOn: ['display-9'] }))).rejects.toMatchObject({
      ...{ code: 'BAD_INPUT', field: 'receiveOn', value: 'display-9' },
    });
    await hosts.close();
  });
});
