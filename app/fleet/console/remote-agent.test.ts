import { expect, test } from 'vitest';
import { HostConnection, type HostEvents } from '../../engine/streams/host-connection';
import type { RecordsMessage } from '../../protocol/host';
import { packRecords } from '../../protocol/record-block';
import type { TransportSettings } from '../../protocol/transports';
import { SimulatedClock } from '../../testing/simulated-clock';
import { Bench } from '../fleet.fixture';
import type { ClockAnswer, RemoteAgent } from './remote-agent';

const transport: TransportSettings = { name: 'ndi', candidates: ['/of/the/console'] };

interface Started {
  connection: HostConnection;
  records: RecordsMessage[];
  deaths: number[];
}

function spawn(remote: RemoteAgent, role: 'sending' | 'receiving' = 'sending'): Started {
  const [records, deaths]: [RecordsMessage[], number[]] = [[], []];
  const events: HostEvents = {
    onRecords: (message) => records.push(message),
    onDeath: (exitCode) => deaths.push(exitCode),
  };
  const connection = new HostConnection(role, remote.spawnStreamHost(role), events, new SimulatedClock());
  return { connection, records, deaths };
}

/** How a request ends that is made when the host is gone. */
async function whyGone(connection: HostConnection): Promise<string> {
  return connection.request({ name: 'flush' }).then(
    () => 'it is there',
    (error: Error) => error.message,
  );
}

test('a host of another machine is asked, answers and reports as one of this machine does', async () => {
  const bench = new Bench();
  bench.agent();
  const remote = await bench.remote();
  const { connection, records, deaths } = spawn(remote);
  // Before the agent has started it.
  const ready = await connection.start({ transport }, 12_345);
  expect(ready).toMatchObject({ processId: null, transport: { name: 'ndi', version: '6' } });
  expect(connection.processIds).toEqual([]);
  const host = bench.application.host('sending');
  expect(host.named('start')).toMatchObject([
    { transport: { candidates: ['/opt/libndi.so'] }, wallOffsetUs: bench.clock.wallOffsetUs() },
  ]);
  host.report({ atNs: 77 });
  await bench.clock.pass(0);
  expect(records).toMatchObject([{ atNs: 77, processIds: [] }]);
  bench.application.answer = () => {
    throw new Error('the host says no');
  };
  await expect(connection.request({ name: 'flush' })).rejects.toThrow('the host says no');
  await expect(connection.request({ name: 'networkInterface', interfaceName: 'eth0' })).rejects.toThrow(
    'Expected a command of a stream host of another machine',
  );
  const closed = connection.close();
  await bench.clock.pass(0);
  await closed;
  expect(host.killed).toBe(true);
  expect(deaths).toEqual([]);
});

test('what belongs to this machine is refused', async () => {
  const bench = new Bench();
  bench.agent();
  const remote = await bench.remote();
  expect(() => remote.spawnStreamHost('sending', { networkNamespace: '/run/netns/x' })).toThrow(
    'networkNamespace',
  );
  const { connection } = spawn(remote);
  await expect(connection.start({ transport, configuration: '{}' }, 0)).rejects.toThrow('no configuration');
  await expect(connection.start({ transport: { name: 'memory' } }, 0)).rejects.toThrow('transport');
  const log = { name: 'openReceiver', streamId: 1, sourceName: 'M (s)', askTime: true } as const;
  await expect(connection.request({ ...log, captureLogPath: '/x' })).rejects.toThrow('captureLogPath');
});

test('the lease is kept for as long as the agent is reached, and given back', async () => {
  const bench = new Bench();
  bench.agent();
  const remote = await bench.remote();
  const { connection } = spawn(remote);
  await bench.clock.pass(60_000);
  expect(remote.lost).toBeNull();
  await expect(bench.remote({ holder: 'control-2' })).rejects.toMatchObject({ code: 'LEASE_HELD' });
  await remote.release();
  expect(bench.lost).toEqual([]);
  expect(bench.application.host('sending').killed).toBe(true);
  expect(await whyGone(connection)).toBe('The sending process was ended: this console gave the machine back');
  await bench.remote({ holder: 'control-2' });
});

test.each([
  [
    'the agent is ended',
    'was given up: the agent on render-1 was ended',
    async (_: Bench, agent: { close(): Promise<void> }) => agent.close(),
  ],
  [
    'the agent is not reachable for as long as its lease',
    'was given up: render-1 was not reachable for 5 s',
    async (bench: Bench) => {
      bench.bus.isCut = true;
      await bench.clock.pass(7000);
    },
  ],
  [
    'this process itself stands still for longer',
    'was given up: the console’s own process stood still for 7.8 s, and lost render-1 by that',
    async (bench: Bench) => {
      bench.clock.stall(8000);
      await bench.clock.pass(500);
    },
  ],
  [
    'another agent takes its place',
    'was given up: the agent on render-1 was started again, or runs twice',
    async (bench: Bench) => void bench.agent(),
  ],
  [
    'the agent took the lease away',
    'was given up: render-1 works for no console now, and this lease is over',
    async (bench: Bench) => {
      await bench.ask({ name: 'lease.release', fence: 1 });
      await bench.clock.pass(1000);
    },
  ],
  [
    'the bus is closed',
    'was given up: the bus is closed',
    async (bench: Bench) => bench.bus.become('closed'),
  ],
])('when %s, its hosts are gone, and it is said why', async (_, words, end) => {
  const bench = new Bench();
  const agent = bench.agent();
  const remote = await bench.remote();
  const { connection, deaths } = spawn(remote);
  await bench.clock.pass(0);
  await end(bench, agent);
  await bench.clock.pass(0);
  expect(bench.lost).toEqual([words]);
  expect(deaths).toHaveLength(1);
  expect(remote.lost).toBe(words);
  const later = spawn(remote);
  await bench.clock.pass(0);
  expect(await whyGone(later.connection)).toContain(
    'could not be started: This console no longer has render-1',
  );
  expect(await whyGone(connection)).toContain('The sending process was');
});

test('a break that is shorter than the lease costs nothing', async () => {
  const bench = new Bench();
  bench.agent();
  const remote = await bench.remote();
  const { deaths } = spawn(remote);
  await bench.clock.pass(0);
  bench.bus.isCut = true;
  await bench.clock.pass(3900);
  bench.bus.isCut = false;
  await bench.clock.pass(20_000);
  expect([remote.lost, deaths, bench.application.host('sending').killed]).toEqual([null, [], false]);
});

test('a host that dies there dies here, with its exit code', async () => {
  const bench = new Bench();
  bench.agent();
  const { connection, deaths } = spawn(await bench.remote());
  await bench.clock.pass(0);
  bench.application.host('sending').die(139);
  await bench.clock.pass(0);
  expect(deaths).toEqual([139]);
  expect(await whyGone(connection)).toBe('The sending process was ended by SIGSEGV');
});

test('a host whose messages were lost on the way is given up, and ended there', async () => {
  const bench = new Bench();
  bench.agent();
  const { connection, deaths } = spawn(await bench.remote());
  await bench.clock.pass(0);
  bench.channels.to('to').lose();
  await bench.clock.pass(0);
  expect(deaths).toEqual([1]);
  expect(await whyGone(connection)).toContain('its messages were lost on the way');
  expect(bench.application.host('sending').killed).toBe(true);
});

test.each([
  ['records with a process of this machine', { processIds: [1] }],
  ['records whose places are outside their block', { block: new Float64Array(1) }],
])('%s: the host is given up, and nothing of them is counted', async (_, change) => {
  const bench = new Bench();
  bench.agent();
  const { records, deaths, connection } = spawn(await bench.remote());
  await bench.clock.pass(0);
  const nothing = { sources: [], senders: [], receivers: [], traffic: null, standstills: [] };
  const good = packRecords({ type: 'records', atNs: 1, processIds: [], ...nothing });
  bench.bus.publish(bench.channels.to('from').sends, { ...good, ...change });
  await bench.clock.pass(0);
  expect([records, deaths]).toEqual([[], [1]]);
  expect(await whyGone(connection)).toContain('was given up: Expected what a stream host sends as records');
});

test('a host that says nothing of its end is given up', async () => {
  const bench = new Bench();
  bench.agent();
  const { connection } = spawn(await bench.remote());
  await bench.clock.pass(0);
  bench.bus.isCut = true;
  const closed = connection.close();
  await bench.clock.pass(7000);
  await closed;
  expect(await whyGone(connection)).toContain('The sending process');
});

test('asks for the time four times a second, and goes on where one question was not answered', async () => {
  const bench = new Bench();
  bench.agent();
  const remote = await bench.remote();
  const answers: ClockAnswer[] = [];
  const stop = remote.askTime((answer) => answers.push(answer));
  await bench.clock.pass(1000);
  bench.bus.isCut = true;
  await bench.clock.pass(500);
  bench.bus.isCut = false;
  await bench.clock.pass(500);
  expect(answers).toHaveLength(6);
  const [first] = answers;
  const atUs = 60e6 + 250e3;
  expect(first).toEqual({ askedUs: atUs, heardUs: atUs, repliedUs: atUs, answeredUs: atUs });
  stop();
  await bench.clock.pass(1000);
  expect(answers).toHaveLength(6);
});

test('an agent of another protocol is not used, and one that answers nonsense is not believed', async () => {
  const bench = new Bench();
  const hello = { protocol: 2, version: '2.0.0', session: 's' };
  const subject = `whiteline.to.${bench.identity.id}.ask`;
  bench.bus.serve(subject, async () => hello);
  await expect(bench.remote()).rejects.toThrow(
    'The agent on render-1 speaks version 2 of the fleet’s protocol, and this console version 1',
  );
  bench.bus.serve(subject, async () => ({ ...hello, protocol: '1' }));
  await expect(bench.remote()).rejects.toThrow('does not know what render-1 answered to hello');
});
