import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ContextWith } from '../../engine/experiment/experiment';
import { WhitelineError } from '../../protocol/errors';
import type { Row } from '../../testing/named-rows';
import { SimulatedBench, sumsOf } from '../../testing/simulated-bench';
import { temporaryFolder } from '../../testing/temporary-folder';
import { ndiConfiguration } from './configuration';
import { transportParameters } from './declaration';
import type { Socket, SocketLook } from './sockets';
import { transport } from './transport';

/** Whole runs over made-up records and made-up sockets, from the commands to the hosts to the run's folder and its report. */

let lookAtSockets: () => SocketLook;
vi.mock('./sockets', async (importOriginal) => ({
  ...(await importOriginal<typeof import('./sockets')>()),
  socketRequirement: { name: 'ss', check: async () => null },
  lookAtSockets: async () => lookAtSockets(),
}));

const folder = temporaryFolder();
let bench: SimulatedBench;
beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
  lookAtSockets = () => looked(configured());
});
afterEach(() => bench.close());

const small = { format: '640x360@30', holdSeconds: 2, warmUpSeconds: 0.5, maxStreams: 1 };
const begin = (more = {}) => bench.begin('transport', { ...small, transports: ['rudp', 'tcp'], ...more });
const shapeOf = (rows: Row[]) =>
  rows.map(({ label, verdict, values }) => [label, verdict, values['transport.seen']]);

/** Over which transport the newest sending process may send. */
function configured(): 'rudp' | 'tcp' | 'other' {
  const [start] = bench.hosts.host('sending').named('start');
  if (start?.configuration === ndiConfiguration('rudp')) return 'rudp';
  return start?.configuration === ndiConfiguration('tcp') ? 'tcp' : 'other';
}

const socket: Socket = {
  ...{ protocol: 'tcp', state: 'ESTAB', localAddress: '127.0.0.1', localPort: 5961 },
  ...{ peerAddress: '127.0.0.1', peerPort: 40_000, processIds: [1], bytesSent: 0 },
};

/** What the system would show then: 100 Mb/s that began with the clock. */
function looked(transport: 'rudp' | 'tcp' | 'other'): SocketLook {
  const atNs = bench.clock.monotonicNs();
  const bytesSent = (100e6 / 8) * (atNs / 1e9);
  const sending: Record<typeof transport, Socket[]> = {
    rudp: [socket, { ...socket, protocol: 'udp', localPort: 5962, peerPort: 5963 }],
    tcp: [socket, { ...socket, localPort: 6961, bytesSent }],
    other: [{ ...socket, bytesSent }],
  };
  return { atNs, sending: sending[transport], receiving: [], groups: [], transmittedBytes: bytesSent };
}

test('each transport has processes of its own, and is compared by what was lost over it', async () => {
  await begin();
  await bench.inRow(1, { phase: 'rudp', seconds: 1.5 });
  const lost = bench.hosts.stream(1).lose(4);
  await bench.ended();
  const { rows, state, verdict, reason } = bench.readRun();
  expect(shapeOf(rows)).toEqual([
    ['no stream', 'PASS', undefined],
    ['rudp: 1 stream', 'FAIL', 'rudp'],
    ['tcp: 1 stream', 'PASS', 'tcp'],
  ]);
  expect(rows.map(sumsOf).slice(1)).toEqual([
    [60, 0, 60, 56, 4],
    [60, 0, 60, 60, 0],
  ]);
  expect(rows[1]?.perStream[0]?.droppedFrames).toEqual(lost);
  expect(rows[2]?.values).toMatchObject({
    'transport.tcpConnections': 2,
    'transport.udpSockets': 0,
    'transport.runtime': '6',
  });
  for (const id of ['transport.tcpMbps', 'transport.networkMbps'])
    expect(Number(rows[2]?.values[id]).toFixed(6)).toBe('100.000000');
  expect([state, verdict, reason]).toEqual([
    'finished',
    'FAIL',
    expect.stringMatching(
      /^tcp lost 0 of 60 frames, latency p99 2\.0 ms, CPU 14 %; rudp lost 4 of 60 frames, latency p99 2\.0 ms, CPU 14 %; rudp: 1 stream: 4 of 60 frames were dropped in transport /,
    ),
  ]);
  // The machine's own at first, each transport's, and the machine's own again.
  const configurations = bench.hosts.hosts
    .filter(({ role }) => role === 'receiving')
    .map((host) => host.named('start')[0]?.configuration);
  expect(configurations).toEqual([undefined, ndiConfiguration('rudp'), ndiConfiguration('tcp'), undefined]);
  expect(bench.hosts.hosts.filter(({ gone }) => !gone)).toHaveLength(2);
  await bench.expectWhole();
});

test('a row over another transport says what was seen instead, is INVALID, and the only one of it', async () => {
  await begin({ transports: ['multicast'], maxStreams: 2 });
  await bench.ended();
  const { rows, verdict, reason } = bench.readRun();
  expect(shapeOf(rows)).toEqual([
    ['no stream', 'PASS', undefined],
    ['multicast: 1 stream', 'INVALID', 'single-tcp'],
  ]);
  expect(bench.codes()[1]).toEqual(['other-transport']);
  expect(rows[1]?.reason).toMatch(
    /^multicast was asked for, single-tcp was seen: 100\.00 Mb\/s over 1 TCP connections, 0 UDP sockets; /,
  );
  expect([verdict, reason]).toEqual(['INVALID', `multicast: 1 stream: ${rows[1]?.reason}`]);
  await bench.expectWhole();
});

test('a receiving process that dies is started again over the same transport, its row INVALID', async () => {
  await begin({ transports: ['tcp'], maxStreams: 2 });
  await bench.inRow(1, { phase: 'tcp', seconds: 1.5 });
  bench.hosts.die('receiving');
  await bench.ended();
  const { rows, verdict, reason } = bench.readRun();
  expect(shapeOf(rows)).toEqual([
    ['no stream', 'PASS', undefined],
    ['tcp: 1 stream', 'INVALID', 'tcp'],
    ['tcp: 2 streams', 'PASS', 'tcp'],
  ]);
  expect(bench.codes()[1]).toEqual(['frames-lost', 'process-died']);
  expect(sumsOf(rows[2] as Row)).toEqual([120, 0, 120, 120, 0]);
  const configurations = bench.hosts.hosts
    .filter(({ role }) => role === 'receiving')
    .map((host) => host.named('start')[0]?.configuration);
  const tcp = ndiConfiguration('tcp');
  expect(configurations).toEqual([undefined, tcp, tcp, undefined]);
  expect([verdict, reason]).toEqual(['INVALID', `tcp: 1 stream: ${rows[1]?.reason}`]);
  await bench.expectWhole();
});

test('sockets that cannot be read end the run with its rows so far', async () => {
  lookAtSockets = () => {
    throw new WhitelineError({ code: 'TOOL_FAILED', message: 'ss wrote nonsense' });
  };
  await begin();
  await bench.ended();
  const { rows, state, verdict, reason } = bench.readRun();
  expect([state, verdict, reason]).toEqual(['failed', null, 'ss wrote nonsense']);
  expect(rows.map(({ label }) => label)).toEqual(['no stream']);
  const [last] = bench.hosts.host('sending').named('start');
  expect(last?.configuration).toBeUndefined();
  await bench.expectWhole();
});

test('Stop in the middle keeps the rows so far, and no process keeps a configuration', async () => {
  await begin({ holdSeconds: 30 });
  await bench.inRow(1, { phase: 'rudp', seconds: 5 });
  await bench.execute({ name: 'stop' });
  const { rows, state } = bench.readRun();
  expect([state, rows.map(({ label, measuredSeconds }) => [label, measuredSeconds])]).toEqual([
    'aborted',
    [
      ['no stream', 30],
      ['rudp: 1 stream', 4.2],
    ],
  ]);
  const [last] = bench.hosts.host('sending').named('start');
  expect(last?.configuration).toBeUndefined();
  await bench.expectWhole();
});

test('whatever does not close, the processes with a configuration of their own are replaced', async () => {
  const asked: string[] = [];
  const note = (name: string) => () => {
    asked.push(name);
    return Promise.resolve();
  };
  const streams = {
    removeAll: () => Promise.reject(new Error('stuck')),
    closeSource: note('closeSource'),
    restart: note('restart'),
  };
  const context = { streams: { set: streams }, signal: AbortSignal.abort() } as unknown as ContextWith<
    'streams' | 'tools'
  >;
  const rows = transport.run(transportParameters.parse({}), context);
  await expect(rows.next()).rejects.toThrow('stuck');
  expect(asked).toEqual(['closeSource', 'restart']);
});
