import { expect, test } from 'vitest';
import { HostConnection, type HostEvents } from '../engine/streams/host-connection';
import { askSubject, toHostSubject } from '../protocol/fleet/subjects';
import type { RecordsMessage } from '../protocol/host';
import { FakeApplication, type FakeHost } from '../testing/fake-application';
import { MemoryBusServer } from '../testing/memory-bus';
import { Random, seeds } from '../testing/random';
import { SimulatedClock } from '../testing/simulated-clock';
import { Agent } from './agent/agent';
import type { Bus } from './bus/bus';
import { Lease } from './bus/lease';
import { NumberedChannel } from './bus/numbered-channel';
import { RemoteAgent } from './console/remote-agent';
import { agentEnvironment, agentMachine, leaseKeyOf, noMedia } from './fleet.fixture';
import type { OpenChannel } from './host-channel';

const [seed] = seeds;

/** A console and an agent on a bus, each with its own end, and one host of the agent that the console uses. */
async function fleet() {
  const clock = new SimulatedClock();
  const server = new MemoryBusServer(clock);
  const identity = { id: 'a1b2c3d4e5f6g7h8', name: 'render-1' };
  const channelOf =
    (bus: Bus): OpenChannel =>
    (sendOn, hearOn) =>
      new NumberedChannel(bus, clock, { sendOn, hearOn });
  const [there, here] = [server.connect('render-1'), server.connect('control-1')];
  const application = new FakeApplication();
  const agent = new Agent({
    ...{
      bus: there,
      clock,
      agent: identity,
      version: '1.0.0',
      machine: agentMachine,
      bootId: 'b',
      network: '',
      environment: agentEnvironment,
      addresses: () => [],
      application,
    },
    ...{ lease: new Lease(1, () => undefined), openChannel: channelOf(there) },
    transportOf: () => ({ name: 'memory' }),
    limits: { streams: 4, format: null, minutes: null },
    media: noMedia,
    sampleLoad: () => ({ close: () => undefined }),
    onNote: () => undefined,
    onClosed: () => undefined,
  });
  const lost: string[] = [];
  const remote = await RemoteAgent.lease({
    ...{ bus: here, clock, agent: identity, holder: 'control-1', version: '1.0.0', transport: 'memory' },
    leaseKey: leaseKeyOf('control-1'),
    ...{ openChannel: channelOf(here), onLost: (words) => lost.push(words) },
    onPresence: () => undefined,
  });
  const records: RecordsMessage[] = [];
  const deaths: number[] = [];
  const events: HostEvents = {
    onRecords: (message) => records.push(message),
    onDeath: (exitCode) => deaths.push(exitCode),
  };
  const connection = new HostConnection('sending', remote.spawnStreamHost('sending'), events, clock);
  await clock.until(connection.start({ transport: { name: 'memory' } }, 0));
  const host: FakeHost = application.host('sending');
  /** Four times a second, as a host does. */
  const report = async (times: number): Promise<void> => {
    for (let index = 0; index < times; index++) {
      host.report({ atNs: clock.monotonicNs() });
      await clock.pass(250);
    }
  };
  return { clock, server, there, here, agent, remote, connection, host, records, deaths, lost, report };
}

test('records over a bus that loses, repeats and delays come once each and in order', async () => {
  const { server, report, records, deaths, lost, clock } = await fleet();
  const random = new Random(seed);
  server.way = (subject) => {
    if (!subject.includes('.host.')) return [0];
    if (random.chance(0.2)) return [];
    return random.chance(0.2) ? [0, random.whole(1, 400)] : [random.whole(0, 300)];
  };
  await report(200);
  server.way = () => [0];
  await clock.pass(3000);
  expect(records).toHaveLength(200);
  expect(records.map(({ atNs }) => atNs)).toEqual(
    records.map((_, index) => (records[0]?.atNs ?? 0) + index * 250e6),
  );
  expect([deaths, lost]).toEqual([[], []]);
});

// The worst moment is just before a renewal, of which there is one in each second.
test.each([20, 21, 22, 23])(
  'a line that is cut for 3.5 s of a lease of 5 s costs nothing',
  async (before) => {
    const { server, report, records, deaths, lost, host, connection, clock } = await fleet();
    await report(before);
    server.cut('render-1', 'control-1');
    await report(14);
    server.mend('render-1', 'control-1');
    await report(20);
    await clock.pass(2500);
    expect(records).toHaveLength(before + 34);
    expect([deaths, lost, host.killed]).toEqual([[], [], false]);
    await clock.until(connection.request({ name: 'flush' }));
  },
);

test('a line that is cut for longer ends the hosts at both ends', async () => {
  const { server, report, records, deaths, lost, host } = await fleet();
  await report(20);
  server.cut('render-1', 'control-1');
  await report(28);
  expect(host.killed).toBe(true);
  expect(lost).toEqual(['was given up: render-1 was not reachable for 5 s']);
  expect(deaths).toEqual([1]);
  server.mend('render-1', 'control-1');
  await report(20);
  expect(records).toHaveLength(20);
});

test('of messages that never come the host is given up, and the agent ends it', async () => {
  const { server, report, deaths, connection, host, clock } = await fleet();
  await report(4);
  // One message is lost, and no question for it arrives.
  server.way = (subject) => (subject.includes('.host.') ? [] : [0]);
  await report(1);
  server.way = (subject, from) => (subject.includes('.host.') && from === 'control-1' ? [] : [0]);
  await report(40);
  expect(deaths).toEqual([1]);
  await clock.pass(0);
  expect(host.killed).toBe(true);
  await expect(connection.request({ name: 'flush' })).rejects.toThrow('its messages were lost on the way');
});

test('the end of a host is known, though the line was cut just then', async () => {
  const { server, deaths, host, clock, lost } = await fleet();
  server.cut('render-1', 'control-1');
  host.die(139);
  await clock.pass(2000);
  server.mend('render-1', 'control-1');
  await clock.pass(3000);
  expect([deaths, lost]).toEqual([[139], []]);
});

test('another process with the console’s secret commands nothing by what it overhears', async () => {
  const { server, report, records, deaths, lost, host, clock } = await fleet();
  const other = server.connect('control-1b');
  const heard: { hostId: string; messages: unknown[] } = { hostId: '', messages: [] };
  other.subscribe('whiteline.from.>', (value, subject) => {
    heard.messages.push(value);
    const [, hostId] = /\.host\.(\w+)$/.exec(subject) ?? [];
    heard.hostId = hostId ?? heard.hostId;
  });
  await report(8);
  const before = host.commands.length;
  const id = 'a1b2c3d4e5f6g7h8';
  const key = leaseKeyOf('control-2');
  for (const command of [
    { name: 'lease.renew' },
    { name: 'lease.release' },
    { name: 'host.end', hostId: heard.hostId },
  ])
    await expect(
      clock.until(other.request(askSubject(id), { ...command, fence: 1, key }, 1000)),
    ).rejects.toMatchObject({ code: 'LEASE_ENDED' });
  await expect(
    clock.until(other.request(askSubject(id), { name: 'lease.acquire', holder: 'control-1', key }, 1000)),
  ).rejects.toMatchObject({ code: 'LEASE_HELD' });
  for (const sendOn of [`whiteline.to.${id}.host.${heard.hostId}`, toHostSubject(id, heard.hostId, key)])
    new NumberedChannel(other, clock, { sendOn, hearOn: 'none' }).send({
      ...{ type: 'request', requestId: 1, command: { name: 'flush' } },
    });
  await report(8);
  expect(JSON.stringify(heard.messages)).not.toContain(leaseKeyOf('control-1'));
  expect([host.commands.length, records.length, deaths, lost]).toEqual([before, 16, [], []]);
});

test.each([
  ['does not answer', 'did not answer within 1.5 s'],
  ['is gone', 'is not connected'],
])('an agent that %s is called by the name of its machine', async (how, words) => {
  const { server, there, remote, clock } = await fleet();
  if (how === 'is gone') await there.close();
  else server.cut('render-1', 'control-1');
  const deaths: (string | undefined)[] = [];
  new HostConnection(
    'receiving',
    remote.spawnStreamHost('receiving'),
    {
      onRecords: () => undefined,
      onDeath: (_, why) => deaths.push(why),
    },
    clock,
  );
  await clock.pass(1600);
  expect(deaths).toEqual([`could not be started: The agent on render-1 ${words}`]);
});
