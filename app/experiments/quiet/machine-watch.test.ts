import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { machineClock } from '../../engine/clock';
import type { ProcessTimes } from '../../engine/load/cpu';
import {
  lookAtMachine,
  type MachineLook,
  parseKernelCounts,
  readFrequenciesMhz,
  readThrottles,
} from '../../engine/machine/machine-look';
import { temporaryFolder } from '../../testing/temporary-folder';
import { MachineWatch } from './machine-watch';
import { ProgramTimes } from './program-times';

const folder = temporaryFolder();

function systemFiles(name: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), `${text}\n`);
  }
  return join(folder, name);
}

test('the server of this user’s fleet is told from others of its program', () => {
  const times = new ProgramTimes(7);
  times.add(processes([7, 'nats-server', 10, 1], [8, 'nats-server', 10, 1]), []);
  times.add(processes([7, 'nats-server', 30, 1], [8, 'nats-server', 15, 1]), []);
  expect(times.busiest()).toEqual([
    { name: 'the fleet’s own server', ticks: 20, processIds: [7] },
    { name: 'nats-server', ticks: 5, processIds: [8] },
  ]);
});

function processes(
  ...all: (readonly [id: number, name: string, ticks: number, parentId: number])[]
): Map<number, ProcessTimes> {
  return new Map(
    all.map(([id, name, ticks, parentId]) => [
      id,
      { name, ticks, parentId, childTicks: 0, startTicks: 0, threads: 1, stopped: false },
    ]),
  );
}

test('time goes to programs by their names, the busiest first, and none to ours nor to what they started', () => {
  const times = new ProgramTimes();
  times.add(
    processes([1, 'init', 50, 0], [100, 'engine', 10, 1], [101, 'host', 5, 100], [7, 'cc1plus', 40, 1]),
    [100],
  );
  expect(times.busiest()).toEqual([]);
  times.add(
    processes(
      ...[[1, 'init', 51, 0] as const, [100, 'engine', 30, 1] as const, [101, 'host', 15, 100] as const],
      // One compiler ended and another began; our host started a process.
      ...[[8, 'cc1plus', 25, 1] as const, [9, 'node', 90, 1] as const, [102, 'ffmpeg', 70, 101] as const],
    ),
    [100],
  );
  // The second compiler has the number of a process that is gone.
  times.add(processes([8, 'cc1plus', 60, 1], [9, 'cc1plus', 6, 1], [1, 'init', 53, 0]), [100]);
  expect(times.busiest()).toEqual([
    { name: 'node', ticks: 90, processIds: [9] },
    { name: 'cc1plus', ticks: 25 + 35 + 6, processIds: [8, 9] },
    { name: 'init', ticks: 3, processIds: [1] },
  ]);
  expect(times.ownTicks).toBe(20 + 10 + 70);
});

test('threads of the kernel are one program', () => {
  const times = new ProgramTimes();
  times.add(processes([2, 'kthreadd', 0, 0], [30, 'kworker/0:1', 5, 2], [31, 'ksoftirqd/0', 1, 2]), [100]);
  times.add(processes([2, 'kthreadd', 0, 0], [30, 'kworker/0:1', 9, 2], [31, 'ksoftirqd/0', 4, 2]), [100]);
  expect(times.busiest()).toEqual([{ name: 'kernel threads', ticks: 7, processIds: [30, 31] }]);
});

test('processes that seem to be each other’s parents are neither ours nor endless', () => {
  const times = new ProgramTimes();
  times.add(processes([5, 'a', 0, 6], [6, 'b', 0, 5]), [100]);
  times.add(processes([5, 'a', 1, 6], [6, 'b', 2, 5]), [100]);
  expect(times.busiest().map(({ name }) => name)).toEqual(['b', 'a']);
});

const look: MachineLook = {
  atNs: 0,
  cpu: { idle: 0, steal: 0, cores: 2, notBusyByCore: [0, 0] },
  ...{ interrupts: 1000, contextSwitches: 5000, frequenciesMhz: [1000, 3000], throttles: 4 },
  processes: processes([100, 'engine', 0, 1], [7, 'firefox', 0, 1]),
};

test('what went on between the first look and the newest', () => {
  const watch = new MachineWatch(look, () => [100]);
  watch.add({ ...look, atNs: 1e9, frequenciesMhz: [2000, 2000] });
  watch.add({
    ...{ atNs: 2e9, interrupts: 3000, contextSwitches: 25_000, frequenciesMhz: [800, 2000], throttles: 6 },
    // Two cores for two seconds are 400 ticks: 300 were idle.
    cpu: { idle: 300, steal: 0, cores: 2, notBusyByCore: [150, 150] },
    processes: processes([100, 'engine', 20, 1], [7, 'firefox', 60, 1]),
  });
  expect(watch.use()).toEqual({
    ...{ othersPercent: 20, programs: [{ name: 'firefox', percent: 15, processIds: [7] }], cores: 2 },
    ...{ interruptsPerSecond: 1000, contextSwitchesPerSecond: 10_000, throttles: 2 },
    ...{ frequencyMhz: 10_800 / 6, slowestFrequencyMhz: 800 },
  });
});

test('what a system does not report is null, never 0', () => {
  const unreported: MachineLook = {
    ...{ atNs: 0, cpu: null, interrupts: null, contextSwitches: null, processes: null },
    ...{ frequenciesMhz: [], throttles: null },
  };
  const watch = new MachineWatch(unreported, () => []);
  watch.add({ ...unreported, atNs: 1e9 });
  expect(watch.use()).toEqual({
    ...{ othersPercent: null, programs: null, cores: 1, interruptsPerSecond: null },
    ...{ contextSwitchesPerSecond: null, frequencyMhz: null, slowestFrequencyMhz: null, throttles: null },
  });
});

test('the kernel’s counters are read by their names; a 0 is of a system that does not count', () => {
  const text = 'cpu  1 2 3\ncpu0 1 2 3\nintr 842741 0 9 12\nctxt 2038677\nbtime 1\n';
  expect(parseKernelCounts(text)).toEqual({ interrupts: 842_741, contextSwitches: 2_038_677 });
  expect(parseKernelCounts('intr 0 0\nctxt 0\n')).toEqual({ interrupts: null, contextSwitches: null });
  expect(parseKernelCounts('')).toEqual({ interrupts: null, contextSwitches: null });
});

test('frequencies and throttling are read of all cores, the package’s counter once', () => {
  const cpus = systemFiles('cpus', {
    'cpu0/cpufreq/scaling_cur_freq': '800000',
    'cpu1/cpufreq/scaling_cur_freq': '3400500',
    'cpu0/thermal_throttle/core_throttle_count': '3',
    'cpu1/thermal_throttle/core_throttle_count': '4',
    'cpu0/thermal_throttle/package_throttle_count': '10',
    'cpu1/thermal_throttle/package_throttle_count': '10',
    'cpufreq/policy0/scaling_cur_freq': '1',
  });
  expect(readFrequenciesMhz(cpus)).toEqual([800, 3400.5]);
  expect(readThrottles(cpus)).toBe(17);
  expect(readFrequenciesMhz(join(folder, 'absent'))).toEqual([]);
  expect(readThrottles(join(folder, 'absent'))).toBeNull();
});

test.skipIf(process.platform !== 'linux')(
  'this machine: its counters rise, and we are among its processes',
  () => {
    const before = lookAtMachine(machineClock);
    const after = lookAtMachine(machineClock);
    expect(after.atNs).toBeGreaterThan(before.atNs);
    expect(after.contextSwitches ?? 0).toBeGreaterThanOrEqual(before.contextSwitches ?? 0);
    expect(before.processes?.get(process.pid)?.parentId).toBe(process.ppid);
  },
);
