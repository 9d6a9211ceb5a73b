import { expect, test } from 'vitest';
import { loadSample } from '../../testing/example-run';
import { parseMachineCpu, parseProcessTicks } from './cpu';
import { parseUtilisation } from './gpu';
import { isLoopback, parseInterfaces, parseTcpRetransmits } from './network';
import { hostLoad, samplesWithin, summarise } from './window';

test('/proc/stat: busy is all but idle and waiting; steal is told apart; guests are within user', () => {
  const text = 'cpu  100 20 30 800 50 3 7 40 15 5\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 1\n';
  expect(parseMachineCpu(text)).toEqual({ busy: 160, steal: 40, total: 1050 });
});

test('/proc/PID/stat: the command’s name may hold blanks and brackets', () => {
  const rest = 'S 1 1 1 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 1 0 100 1000 10';
  expect(parseProcessTicks(`42 (node) ${rest}`)).toBe(300);
  expect(parseProcessTicks(`42 (a) b) (c d) ${rest}`)).toBe(300);
  expect(parseProcessTicks('')).toBeNull();
  expect(parseProcessTicks('42 (node) S 1')).toBeNull();
});

test('/proc/net/dev: counters of each interface, names with a colon in them included', () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1000 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0
  eth0:2000 20 1 2 0 0 0 0 3000 30 4 5 0 0 0 0
`;
  expect(parseInterfaces(text)).toEqual([
    { name: 'lo', receiveBytes: 1000, transmitBytes: 1000, errors: 0, dropped: 0 },
    { name: 'eth0', receiveBytes: 2000, transmitBytes: 3000, errors: 5, dropped: 7 },
  ]);
  expect(parseInterfaces('')).toEqual([]);
  expect([isLoopback('lo'), isLoopback('eth0')]).toEqual([true, false]);
});

test('/proc/net/snmp: retransmits by the name of their column', () => {
  const text =
    'Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm RetransSegs InErrs\nTcp: 1 77 3\nUdp: InDatagrams\nUdp: 5\n';
  expect(parseTcpRetransmits(text)).toBe(77);
  expect(parseTcpRetransmits('Tcp: RtoAlgorithm\nTcp: 1\n')).toBeNull();
  expect(parseTcpRetransmits('')).toBeNull();
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
  const samples = [10, 30, 20].map((cpuPercent) =>
    loadSample({
      cpuPercent,
      loopbackMbps: cpuPercent * 10,
      roles: {
        sending: { cpuPercent: cpuPercent / 2, memoryMb: cpuPercent },
        receiving: null,
        console: null,
      },
    }),
  );
  expect(hostLoad(samples, 'sending').load).toEqual({
    ...{ cpuMaxPercent: 30, cpuMeanPercent: 20, cpuP95Percent: 30, cpuProcessMaxPercent: 15 },
    ...{ gpuMaxPercent: null, networkMaxMbps: 300, memoryMaxMb: 30 },
  });
  expect(hostLoad(samples, 'receiving').notMeasured).toEqual({
    gpuMaxPercent: 'no NVIDIA driver on this machine',
    cpuProcessMaxPercent: 'no receiving process was running',
    memoryMaxMb: 'no receiving process was running',
  });
});
