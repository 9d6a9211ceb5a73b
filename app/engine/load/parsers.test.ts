import { expect, test } from 'vitest';
import type { LoadPart } from '../../protocol/load';
import { loadSample, roleLoad } from '../../testing/load-sample';
import { compareMachineCpu, parseMachineCpu, parseProcessTimes } from './cpu';
import { parseUtilisation } from './gpu';
import { LoadSums } from './load-sums';
import {
  compareInterfaces,
  type InterfaceCounters,
  isLoopback,
  parseInterfaces,
  parseTcpRetransmits,
  parseUdpOverflows,
  trafficShare,
} from './network';
import { hostLoad, instrumentLoad, samplesWithin, summarise, unknownLoad } from './window';

test('/proc/stat: waiting is idle; steal is counted apart; cores are counted', () => {
  const text =
    'cpu  100 20 30 800 50 3 7 40 15 5\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu1 60 0 0 700 40 0 0 30 9 9\nintr 1\n';
  expect(parseMachineCpu(text)).toEqual({ idle: 850, steal: 40, cores: 2, notBusyByCore: [17, 770] });
});

test('busy is what is neither idle nor stolen of the time that went by, on all cores', () => {
  const before = { idle: 1000, steal: 10, cores: 4, notBusyByCore: [250, 250, 250, 250] };
  const after = (idle: number, steal: number, cores = 4) =>
    compareMachineCpu(before, { ...before, idle: 1000 + idle, steal: 10 + steal, cores }, 2);
  expect(after(800, 0)).toMatchObject({ busyPercent: 0, stealPercent: 0 });
  expect(after(200, 0)).toMatchObject({ busyPercent: 75, stealPercent: 0 });
  expect(after(200, 80)).toMatchObject({ busyPercent: 65, stealPercent: 10 });
  // The clock of a look and those of the cores are not read at one moment.
  expect(after(803, 0)?.busyPercent).toBe(0);
  expect(after(200, 0, 3)).toBeNull();
  const oneFull = { ...before, notBusyByCore: [450, 252, 450, 448] };
  expect(compareMachineCpu(before, oneFull, 2)?.busiestCorePercent).toBe(99);
  expect(compareMachineCpu(null, before, 2)).toBeNull();
  expect(compareMachineCpu(before, null, 2)).toBeNull();
});

test('/proc/PID/stat: the command’s name may hold blanks and brackets', () => {
  const rest = 'S 17 1 1 0 -1 4194560 100 0 0 0 250 50 30 4 20 0 7 0 100 1000 10';
  expect(parseProcessTimes(`42 (node) ${rest}`)).toEqual({
    name: 'node',
    ticks: 300,
    childTicks: 34,
    startTicks: 100,
    parentId: 17,
    threads: 7,
    stopped: false,
  });
  expect(parseProcessTimes(`42 (node) T${rest.slice(1)}`)).toMatchObject({ ticks: 300, stopped: true });
  expect(parseProcessTimes(`42 (a) b) (c d) ${rest}`)).toMatchObject({ name: 'a) b) (c d', ticks: 300 });
  // A program names itself as it likes.
  expect(parseProcessTimes(`42 () ${rest}`)).toMatchObject({ name: 'a program without a name', ticks: 300 });
  expect(parseProcessTimes(`42 ( \n) ${rest}`)).toMatchObject({ name: 'a program without a name' });
  expect(parseProcessTimes(`42 (a\u001bc) ${rest}`)?.name).toBe('a\\u001bc');
  expect(parseProcessTimes('')).toBeNull();
  expect(parseProcessTimes('42 (node) S 1')).toBeNull();
});

test('/proc/net/dev: counters of each interface, names with a colon in them included', () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1000 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0
  eth0:2000 20 1 2 0 0 0 0 3000 30 4 5 0 0 0 0
`;
  const quiet = { receiveErrors: 0, receiveDropped: 0, transmitErrors: 0, transmitDropped: 0 };
  expect(parseInterfaces(text)).toEqual([
    { name: 'lo', receiveBytes: 1000, transmitBytes: 1000, ...quiet },
    {
      ...{ name: 'eth0', receiveBytes: 2000, receiveErrors: 1, receiveDropped: 2 },
      ...{ transmitBytes: 3000, transmitErrors: 4, transmitDropped: 5 },
    },
  ]);
  expect(parseInterfaces('')).toEqual([]);
  expect([isLoopback('lo'), isLoopback('eth0')]).toEqual([true, false]);
});

const counters: InterfaceCounters = {
  ...{ name: 'eth0', receiveBytes: 1e6, receiveErrors: 1, receiveDropped: 2 },
  ...{ transmitBytes: 2e6, transmitErrors: 3, transmitDropped: 4 },
};
const link = { linkMbps: 1000, mtuBytes: 1500, notMeasured: {} };

test('what an interface carried is the rise of its counters', () => {
  const later: InterfaceCounters = {
    ...{ name: 'eth0', receiveBytes: 3e6, receiveErrors: 11, receiveDropped: 22 },
    ...{ transmitBytes: 6e6, transmitErrors: 33, transmitDropped: 44 },
  };
  expect(compareInterfaces([counters], [later], 2, () => link)).toEqual({
    loads: [
      {
        ...{ name: 'eth0', loopback: false, receiveMbps: 8, transmitMbps: 16, errors: 40, dropped: 60 },
        ...{ receiveErrors: 10, receiveDropped: 20, transmitErrors: 30, transmitDropped: 40 },
        ...link,
      },
    ],
    fresh: [],
  });
});

test('of an interface that came up, or counts anew, nothing is said', () => {
  const other = { ...counters, name: 'wlan0' };
  const anew = { ...counters, transmitErrors: 0 };
  const { loads, fresh } = compareInterfaces([counters], [anew, other], 1, () => link);
  expect(loads).toEqual([]);
  expect(fresh).toEqual(['eth0', 'wlan0']);
});

test('what one interface carried of all traffic outside', () => {
  const of = (name: string, receiveBytes: number, transmitBytes: number): InterfaceCounters => ({
    ...{ ...counters, name, receiveBytes, transmitBytes },
  });
  const before = { atNs: 1e9, interfaces: [of('eth0', 0, 0), of('wlan0', 0, 0), of('lo', 0, 0)] };
  const now = {
    atNs: 3e9,
    interfaces: [of('eth0', 8e6, 1e6), of('wlan0', 5e5, 5e5), of('lo', 9e7, 9e7)],
  };
  expect(trafficShare('eth0', before, now)).toEqual({ trafficPercent: 90, elsewhereMbps: 4 });
  expect(trafficShare('wlan0', before, now)).toEqual({ trafficPercent: 10, elsewhereMbps: 36 });
  expect(trafficShare('eth0', now, now)).toBeNull();
  expect(trafficShare('eth0', now, before)).toBeNull();
  expect(trafficShare('eth0', { atNs: 1e9, interfaces: null }, now)).toBeNull();
});

test('/proc/net/snmp: retransmits by the name of their column', () => {
  const text =
    'Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm RetransSegs InErrs\nTcp: 1 77 3\nUdp: InDatagrams\nUdp: 5\n';
  expect(parseTcpRetransmits(text)).toBe(77);
  expect(parseTcpRetransmits('Tcp: RtoAlgorithm\nTcp: 1\n')).toBeNull();
  expect(parseTcpRetransmits('')).toBeNull();
  const udp = 'Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors\nUdp: 900 1 42 800 41\n';
  expect(parseUdpOverflows(udp)).toBe(41);
  expect(parseUdpOverflows(text)).toBeNull();
});

test.each([
  ['0, 37', { gpu: 0, percent: 37 }],
  [' 11, 0 ', { gpu: 11, percent: 0 }],
  ['0, 100', { gpu: 0, percent: 100 }],
  ['0, [N/A]', null],
  ['0, 101', null],
  ['0, -1', null],
  ['37', null],
  ['', null],
])('nvidia-smi’s “%s” is %j', (line, report) => {
  expect(parseUtilisation(line)).toEqual(report);
});

test('largest, mean and 95th percentile by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(summarise(hundred)).toEqual({ max: 100, mean: 50.5, p95: 95 });
  expect(summarise([3])).toEqual({ max: 3, mean: 3, p95: 3 });
  expect(summarise([5, null, 1])).toEqual({ max: 5, mean: 3, p95: 5 });
  expect(summarise([1, 2])).toMatchObject({ p95: 2 });
  expect(summarise([null, null])).toBeNull();
  expect(summarise([])).toBeNull();
});

test('samples of a row are those whose second lies within it', () => {
  const samples = [1, 1.5, 2, 2.5, 3, 3.5].map((seconds) => loadSample({ atNs: seconds * 1e9 }));
  const within = samplesWithin(samples, 1e9, 3e9).map((sample) => sample.atNs / 1e9);
  expect(within).toEqual([2, 2.5, 3]);
});

test('load of one side: its own process, and the machine’s figures', () => {
  const parts = (cpuPercent: number): LoadPart[] => [
    { name: 'sdk', cpuPercent: cpuPercent / 4, threads: 12 },
    { name: 'runtime', cpuPercent: cpuPercent / 8, threads: 7 },
    { name: 'ended', cpuPercent: cpuPercent / 8, threads: 0 },
  ];
  const samples = [10, 30, 20].map((cpuPercent, index) =>
    loadSample({
      cpuPercent,
      loopbackMbps: cpuPercent * 10,
      // Of samples that overlap, the one in the middle says nothing new.
      ...{ wireErrors: 1, wireDropped: index === 1 ? 100 : 2, tcpRetransmits: index === 2 ? null : 3 },
      notMeasured: { gpuPercent: 'no NVIDIA driver on this machine', tcpRetransmits: 'was not reported' },
      roles: {
        sending: {
          ...roleLoad(cpuPercent / 2, cpuPercent, 'sdk'),
          ...{ parts: parts(cpuPercent), gpuPercent: cpuPercent / 10 },
        },
        receiving: null,
        console: roleLoad(3, 90, 'engine'),
      },
    }),
  );
  expect(hostLoad(LoadSums.of(samples), 'sending').load).toEqual({
    ...{ cpuMaxPercent: 30, cpuMeanPercent: 20, cpuP95Percent: 30, cpuProcessMaxPercent: 15 },
    othersCpuMeanPercent: 7,
    ...{ 'cpuParts.read': 0, 'cpuParts.decode': 0, 'cpuParts.ffmpeg': 0, 'cpuParts.compose': 0 },
    ...{ 'cpuParts.send': 0, 'cpuParts.receive': 0, 'cpuParts.sdk': 5, 'cpuParts.other': 5 },
    ...{ gpuMaxPercent: null, gpuProcessMaxPercent: 3, networkMaxMbps: 300, memoryMaxMb: 30 },
    ...{ wireErrors: 2, wireDropped: 4, tcpRetransmits: null },
  });
  const noProcess = 'no receiving process was running';
  expect(hostLoad(LoadSums.of(samples), 'receiving').notMeasured).toMatchObject({
    gpuMaxPercent: 'no NVIDIA driver on this machine',
    tcpRetransmits: 'was not reported',
    cpuProcessMaxPercent: noProcess,
    gpuProcessMaxPercent: noProcess,
    'cpuParts.sdk': noProcess,
    memoryMaxMb: noProcess,
  });
  expect(instrumentLoad(LoadSums.of(samples))).toEqual({
    load: { engineCpuMeanPercent: 3, windowCpuMeanPercent: null },
    notMeasured: { windowCpuMeanPercent: 'no window was running' },
  });
});

test('without samples, and of another machine, each figure says why it is not known', () => {
  for (const { load, notMeasured } of [hostLoad(new LoadSums(), 'sending'), unknownLoad('elsewhere')]) {
    const fields = Object.entries(load).flatMap(([field, value]) =>
      value === null ? [field] : Object.keys(value).map((part) => `${field}.${part}`),
    );
    expect(fields.length).toBe(20);
    expect(Object.keys(notMeasured).sort()).toEqual(fields.sort());
  }
});
