import { expect, test, vi } from 'vitest';
import type { BookedInterface, BookedProcess, MachineAddon } from '../../../native/addon/index';
import { compareMachineCpu } from './cpu';
import { drmPercent } from './drm-clients';
import { WindowsBooks } from './windows-books';
import { WindowsGpu } from './windows-gpu';

const ffmpeg: BookedProcess = {
  name: 'ffmpeg.exe',
  parentId: 4,
  cpuNs: 1.5e9,
  startNs: 60e9,
  memoryBytes: 20e6,
  stopped: false,
  threads: [
    { id: 101, cpuNs: 1e9 },
    { id: 102, cpuNs: 0.25e9 },
  ],
};

const ethernet: BookedInterface = {
  ...{ name: 'Ethernet', description: 'A card', loopback: false, up: true, mtuBytes: 1500, speedBps: 1e9 },
  ...{ receiveBytes: 5, receiveErrors: 0, receiveDropped: 0 },
  ...{ transmitBytes: 7, transmitErrors: 0, transmitDropped: 0 },
};

function booksWith(readings: Partial<MachineAddon>): WindowsBooks {
  const addon: MachineAddon = {
    renewProcesses: () => true,
    processIds: () => [100],
    process: (id) => (id === 100 ? ffmpeg : null),
    threadName: () => '',
    cores: () => ({ idleNs: [20e9, 30e9], hasSeveralGroups: false }),
    memory: () => ({ totalBytes: 16e9, availableBytes: 10e9 }),
    interfaces: () => [ethernet],
    tcpRetransmits: () => 3,
    gpuEngines: () => [],
    registryText: () => null,
    registryTexts: () => [],
    powerPlan: () => null,
    displays: () => [],
    drives: () => [],
    ...readings,
  };
  return new WindowsBooks(addon);
}

test('process times are in clock ticks, and names have no file extension', () => {
  const books = booksWith({});
  expect(books.processTimes(100)).toEqual({
    ...{
      name: 'ffmpeg',
      ticks: 150,
      childTicks: 0,
      startTicks: 6000,
      parentId: 4,
      threads: 2,
      stopped: false,
    },
  });
  expect(books.processMemoryMb(100)).toBe(20);
  expect(books.processTimes(7)).toBeNull();
});

test('one picture serves all questions of a turn, and the next turn has its own', async () => {
  const renewProcesses = vi.fn(() => true);
  const books = booksWith({ renewProcesses });
  books.processTimes(100);
  books.threadTimes(100);
  books.processMemoryMb(100);
  expect(renewProcesses).toHaveBeenCalledTimes(1);
  await Promise.resolve();
  books.processTimes(100);
  expect(renewProcesses).toHaveBeenCalledTimes(2);
});

test('where Windows gives no picture no process is known', () => {
  const books = booksWith({ renewProcesses: () => false });
  expect(books.processTimes(100)).toBeNull();
  expect(books.threadTimes(100)).toBeNull();
});

test('a thread is asked twice for its name, which it takes a moment after it began', () => {
  const names = ['', 'wl-sender', 'never asked'];
  const threadName = vi.fn((id: number) => (id === 101 ? (names.shift() ?? '') : 'other'));
  const books = booksWith({ threadName });
  const nameNow = () => books.threadTimes(100)?.get('101')?.name;
  expect([nameNow(), nameNow(), nameNow()]).toEqual(['', 'wl-sender', 'wl-sender']);
  expect(threadName).toHaveBeenCalledTimes(4);
});

test('cores are compared as those of Linux, and nothing is said of stolen time', () => {
  const before = booksWith({}).cpu();
  const now = booksWith({ cores: () => ({ idleNs: [20.5e9, 31e9], hasSeveralGroups: false }) }).cpu();
  const compared = compareMachineCpu(before, now, 1);
  expect(compared).toEqual({ busyPercent: 25, busiestCorePercent: 50, stealPercent: null });
});

test('of several groups of processors Windows tells one: then the load is not known', () => {
  expect(booksWith({ cores: () => ({ idleNs: [1e9], hasSeveralGroups: true }) }).cpu()).toBeNull();
});

test('a loopback that Windows does not count is no interface that carries nothing', () => {
  const lo = { ...ethernet, name: 'Loopback Pseudo-Interface 1', loopback: true };
  const uncounted = { ...lo, receiveBytes: 0, transmitBytes: 0 };
  const names = (interfaces: BookedInterface[]) =>
    booksWith({ interfaces: () => interfaces })
      .interfaces()
      .map(({ name }) => name);
  expect(names([uncounted, ethernet])).toEqual(['Ethernet']);
  expect(names([lo, ethernet])).toEqual([lo.name, 'Ethernet']);
});

test('the means of a GPU’s engines are added up, of ours and of others', () => {
  let nowNs = 0;
  const clock = { monotonicNs: () => nowNs };
  const gpu = 'luid_0x00000000_0x0000C5A5_phys_0';
  const instance = (id: number, engine: string) => `pid_${id}_${gpu}_${engine}_engtype_3D`;
  const uses = [
    { instance: instance(100, 'eng_0'), percent: 30 },
    { instance: instance(200, 'eng_0'), percent: 20 },
    { instance: instance(200, 'eng_3'), percent: 45 },
    { instance: 'something else', percent: 99 },
  ];
  const reader = new WindowsGpu(clock, { gpuEngines: () => uses });
  const before = reader.look();
  nowNs += 0.5e9;
  reader.look();
  nowNs += 0.5e9;
  const now = reader.look();
  expect(drmPercent(before, now)).toBeCloseTo(50, 6);
  expect(drmPercent(before, now, (ids) => ids.has(100))).toBeCloseTo(30, 6);
  expect(drmPercent(before, now, (ids) => !ids.has(100))).toBeCloseTo(45, 6);
  expect(reader.unreadable).toBeNull();
});

test('without counters of GPU engines it says why', () => {
  const reader = new WindowsGpu({ monotonicNs: () => 0 }, { gpuEngines: () => 'failed (0xc0000bb9)' });
  expect(reader.look().clients.size).toBe(0);
  expect(reader.unreadable).toBe('failed (0xc0000bb9)');
});
