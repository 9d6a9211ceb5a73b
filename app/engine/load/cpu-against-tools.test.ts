// @module-tag machine

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import type { LoadSample } from '../../protocol/load';
import { machineClock } from '../clock';
import { GpuSampler } from './gpu';
import { LoadSampler } from './sampler';

/** A load that is known, under our sampler and, at the same moments, the kernel's other books. */

const seconds = 5;
/** Samples overlap: every second one tiles the time. */
const samplesPerTile = 2;
const dutyPercent = 40;
const withinPoints = 2;

/** Works and sleeps in turns, out of step with the kernel's ticks of 1, 4 or 10 ms, which would see all or nothing. */
const burner = `
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const periodMs = 23;
for (let start = performance.now(); ; start = Math.max(start + periodMs, performance.now() - periodMs)) {
  while (performance.now() < start + periodMs * ${dutyPercent / 100});
  Atomics.wait(sleeper, 0, 0, Math.max(0, start + periodMs - performance.now()));
}`;

/** CPU seconds since some start, by others' accounts; null where this machine does not keep that one. */
interface Reading {
  sample: LoadSample;
  /** The test may have had to wait for a processor since the sample was taken. */
  atNs: number;
  processStat: number;
  group: number | null;
  machineBusy: number;
  machineIdle: number;
  machineGroup: number | null;
}

let readings: Reading[] = [];
let hasGroup = false;
let pidstat: Promise<string | Error>;
let measuredFromMs: number | null = null;

// All tests compare one measurement.
beforeEach(async ({ task }) => {
  if (measuredFromMs === null) {
    const fromMs = machineClock.monotonicNs() / 1e6;
    await measure();
    measuredFromMs = fromMs;
  }
  task.meta.measuredFromMs = measuredFromMs;
}, 15_000);

async function measure(): Promise<void> {
  readings = [];
  const child = spawn(process.execPath, ['-e', burner], { stdio: 'ignore' });
  const processId = child.pid ?? 0;
  // What else runs on this machine would make the load less known; only root may ask for that.
  tryTo(() => setPriority(processId, -15));
  const group = Group.around(processId);
  hasGroup = group !== null;
  try {
    await sampleLoadOf(processId, group);
    await pidstat;
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    group?.remove();
  }
}

function sampleLoadOf(processId: number, group: Group | null): Promise<void> {
  return new Promise((resolve) => {
    const gpu = new GpuSampler(machineClock, '/nonexistent/nvidia-smi');
    const sampler = new LoadSampler({
      wall: { clock: machineClock, offsetUs: 0, look: () => null },
      gpu,
      processIds: () => ({ sending: [processId] }),
      openStreams: () => 1,
      lostPerSecond: () => ({ reason: 'no stream is followed' }),
      latency: () => null,
      onSample: (sample) => {
        readings.push(read(sample, processId, group));
        if (readings.length === 1) pidstat = runPidstat(processId);
        if (readings.length < 1 + seconds * samplesPerTile) return;
        sampler.close();
        gpu.close();
        resolve();
      },
    });
  });
}

function read(sample: LoadSample, processId: number, group: Group | null): Reading {
  const { busy, idle } = machineSeconds();
  return {
    sample,
    atNs: machineClock.monotonicNs(),
    processStat: processSeconds(processId),
    group: group?.cpuSeconds() ?? null,
    machineBusy: busy,
    machineIdle: idle,
    machineGroup: rootGroupSeconds(),
  };
}

/** utime + stime out of /proc/PID/stat, by a pattern of this test's own. */
function processSeconds(processId: number): number {
  const fields = /\) \S(?: -?\d+){10} (\d+) (\d+)/.exec(readFileSync(`/proc/${processId}/stat`, 'latin1'));
  return (Number(fields?.[1]) + Number(fields?.[2])) / 100;
}

function machineSeconds(): { busy: number; idle: number } {
  const fields = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1]?.split(' ').map(Number);
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] =
    fields ?? [];
  return { busy: (user + nice + system + irq + softIrq) / 100, idle: (idle + ioWait + steal) / 100 };
}

const cgroup2Seconds = (folder: string): number =>
  Number(/usage_usec (\d+)/.exec(readFileSync(join(folder, 'cpu.stat'), 'latin1'))?.[1]) / 1e6;
const cgroup1Seconds = (folder: string): number =>
  Number(readFileSync(join(folder, 'cpuacct.usage'), 'latin1')) / 1e9;

function mountOf(type: string, option: string): string | null {
  const mounts = readFileSync('/proc/mounts', 'latin1').split('\n');
  const found = mounts
    .map((line) => line.split(' '))
    .find(
      ([, , fileSystem, options]) =>
        fileSystem === type && (option === '' || options?.split(',').includes(option)),
    );
  return found?.[1] ?? null;
}

/** Of all tasks of the machine. Version 1 adds them up; version 2 reports at its root what /proc/stat reports. */
function rootGroupSeconds(): number | null {
  const first = mountOf('cgroup', 'cpuacct');
  return first ? cgroup1Seconds(first) : null;
}

/** A control group with one process in it. */
class Group {
  private constructor(
    private readonly folder: string,
    readonly cpuSeconds: () => number,
  ) {}

  /** Null if none may be made: then the comparison with it says so. */
  static around(processId: number): Group | null {
    const kinds = [
      { root: mountOf('cgroup2', ''), seconds: cgroup2Seconds },
      { root: mountOf('cgroup', 'cpuacct'), seconds: cgroup1Seconds },
    ];
    for (const { root, seconds: secondsOf } of kinds) {
      if (!root) continue;
      const folder = join(root, `whiteline-test-${process.pid}`);
      const group = new Group(folder, () => secondsOf(folder));
      const isMade = tryTo(() => {
        mkdirSync(folder);
        writeFileSync(join(folder, 'cgroup.procs'), String(processId));
        if (!Number.isFinite(group.cpuSeconds())) throw new Error('no CPU time is reported');
      });
      if (isMade) return group;
      group.remove();
    }
    return null;
  }

  remove(): void {
    if (existsSync(this.folder)) rmdirSync(this.folder);
  }
}

function tryTo(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/** What pidstat prints, or why it did not. */
async function runPidstat(processId: number): Promise<string | Error> {
  const flags = ['-u', '-p', String(processId), String(seconds), '1'];
  const env = { ...process.env, LC_ALL: 'C', S_COLORS: 'never' };
  return promisify(execFile)('pidstat', flags, { env }).then(
    ({ stdout }) => stdout,
    (error: Error) => error,
  );
}

/** Mean of a figure of ours over the whole time. */
function meanOf(figure: (sample: LoadSample) => number | null | undefined): number {
  let total = 0;
  for (let index = samplesPerTile; index < readings.length; index += samplesPerTile) {
    const sample = readings[index]?.sample;
    const before = readings[index - samplesPerTile]?.sample;
    if (sample && before) total += (figure(sample) ?? Number.NaN) * (sample.atNs - before.atNs);
  }
  return total / riseOf(({ sample }) => sample.atNs);
}

function riseOf(account: (reading: Reading) => number | null): number {
  const at = (index: number): number => {
    const reading = readings[index];
    return (reading && account(reading)) ?? Number.NaN;
  };
  return at(readings.length - 1) - at(0);
}

/** Share of one core, by an account of CPU seconds. */
function percentBy(account: (reading: Reading) => number | null): number {
  return (100 * riseOf(account)) / (riseOf(({ atNs }) => atNs) / 1e9);
}

const cores = (readFileSync('/proc/stat', 'latin1').match(/^cpu\d/gm) ?? []).length;
/** Ours are shares of all cores; points are compared of one core, which is the stricter. */
const ourProcessPercent = (): number => cores * meanOf((sample) => sample.roles.sending?.cpuPercent);

function expectWithin(ours: number, theirs: number): void {
  expect(Math.abs(ours - theirs), `ours ${ours.toFixed(2)} %, theirs ${theirs.toFixed(2)} %`).toBeLessThan(
    withinPoints,
  );
}

test('the process worked, and slept', () => {
  // On a crowded machine it gets less than it asks for.
  expect(ourProcessPercent()).toBeGreaterThan(2 * withinPoints);
  expect(ourProcessPercent()).toBeLessThan(dutyPercent * 1.5);
});

test('CPU of a process agrees with /proc/PID/stat', () => {
  expectWithin(
    ourProcessPercent(),
    percentBy(({ processStat }) => processStat),
  );
});

test('CPU of a process agrees with pidstat', async () => {
  const output = await pidstat;
  if (output instanceof Error)
    throw new Error(`pidstat (of Debian’s sysstat) did not run: ${output.message}`);
  const lines = output.split('\n').map((line) => line.trim().split(/\s+/));
  const heading = lines.find((words) => words.includes('%CPU')) ?? [];
  const average = lines.find(([first]) => first === 'Average:') ?? [];
  // The time of day takes one column or two: columns are counted from the end.
  const column = average.length - (heading.length - heading.indexOf('%CPU'));
  expectWithin(ourProcessPercent(), Number(average[column]));
});

test('CPU of a process agrees with its control group', ({ skip }) => {
  if (!hasGroup) return skip('no control group with CPU time can be made here');
  expectWithin(
    ourProcessPercent(),
    percentBy((reading) => reading.group),
  );
});

test('the parts of a process add up to the whole', () => {
  const parts =
    cores * meanOf((sample) => sample.roles.sending?.parts?.reduce((sum, part) => sum + part.cpuPercent, 0));
  expectWithin(parts, ourProcessPercent());
  expectWithin(
    cores *
      meanOf((sample) => sample.roles.sending?.parts?.find(({ name }) => name === 'runtime')?.cpuPercent),
    parts,
  );
});

test('CPU of the machine agrees with /proc/stat, by its other columns', () => {
  const busy = riseOf(({ machineBusy }) => machineBusy);
  const idle = riseOf(({ machineIdle }) => machineIdle);
  expectWithin(
    meanOf((sample) => sample.cpuPercent),
    (100 * busy) / (busy + idle),
  );
});

test('CPU of the machine agrees with what all tasks together used', ({ skip }) => {
  if (rootGroupSeconds() === null)
    return skip('this machine has no control groups of version 1, which tell it');
  expectWithin(
    meanOf((sample) => sample.cpuPercent),
    percentBy(({ machineGroup }) => machineGroup) / cores,
  );
});
