import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { cpus } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import type { Clock } from '../../protocol/clock';
import type { LoadSample } from '../../protocol/load';
import { HandClock } from '../../testing/hand-clock';
import { SimulatedClock } from '../../testing/simulated-clock';
import { machineClock } from '../clock';
import { readProcessTicks, ticksPerSecond } from './cpu';
import { GpuSampler } from './gpu';
import { othersCpuOf } from './load-sums';
import { readInterfaces } from './network';
import { LoadSampler } from './sampler';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Looks {
  /** Before each look at the process. */
  onLook?(): void;
  /** After each look but the first two, which give no sample. */
  onSample?(): void;
  interfacesUp?(): string[];
}

function sampleOf(
  processId: number,
  clock: Clock,
  { onLook, onSample, interfacesUp }: Looks = {},
): LoadSample[] {
  const samples: LoadSample[] = [];
  const gpu = new GpuSampler(clock, '/nonexistent/nvidia-smi');
  const sampler = new LoadSampler({
    wall: { clock, offsetUs: 0, look: () => null },
    gpu,
    processIds: () => {
      onLook?.();
      return { sending: [processId], receiving: [], pacer: [processId] };
    },
    openStreams: () => 3,
    lostPerSecond: () => ({ reason: 'no stream is followed' }),
    latency: () => null,
    onSample: (sample) => {
      samples.push(sample);
      onSample?.();
    },
    interfacesUp,
  });
  closers.push(() => {
    sampler.close();
    gpu.close();
  });
  return samples;
}

/** The samples that tile the time after the one of this index, however late some of them came: each reaches back by two. */
function tilesAfter(
  first: number,
  samples: readonly LoadSample[],
): { sample: LoadSample; seconds: number }[] {
  return samples.flatMap((sample, index) => {
    const start = samples[index - 2];
    if (!start || index <= first || (index - first) % 2 === 1) return [];
    return [{ sample, seconds: (sample.atNs - start.atNs) / 1e9 }];
  });
}

test('the CPU of a process that burns one core is what the kernel says, and one core at most', async () => {
  const burn = "process.stdout.write('.'); for (;;) {}";
  const child = spawn(process.execPath, ['-e', burn], { stdio: ['ignore', 'pipe', 'ignore'] });
  closers.push(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const processId = child.pid ?? 0;
  /** Ticks before each look and after it, and the time there: one that is held up sees what was used meanwhile too. */
  const [before, after, afterNs]: [number[], number[], number[]] = [[], [], []];
  const ticksNow = (): number => readProcessTicks(processId) ?? Number.NaN;
  const onSample = (): void => {
    after.push(ticksNow());
    afterNs.push(machineClock.monotonicNs());
  };
  const clock = new HandClock();
  const samples = sampleOf(processId, clock, { onSample, onLook: () => before.push(ticksNow()) });
  while (samples.length < 5) {
    const enough = ticksNow() + ticksPerSecond / 20;
    await vi.waitFor(() => expect(ticksNow()).toBeGreaterThan(enough), { interval: 10 });
    clock.strike();
  }
  const between = (from = Number.NaN, to = Number.NaN): number => (to - from) / ticksPerSecond;
  const rounding = 1e-6;
  const cpuPercent = (sample: LoadSample): number => sample.roles.sending?.cpuPercent ?? Number.NaN;
  for (const [index, sample] of samples.entries()) {
    const start = samples[index - 2];
    if (!start) continue;
    const used = (cpuPercent(sample) / 100) * cpus().length * ((sample.atNs - start.atNs) / 1e9);
    // It compares the looks `index` and `index + 2`.
    const [least, most] = [
      between(after[index - 2], before[index + 2]),
      between(before[index], after[index]),
    ];
    expect(used).toBeGreaterThan(least - rounding);
    expect(used).toBeLessThan(most + rounding);
    expect(used).toBeLessThan(((afterNs[index] ?? Number.NaN) - start.atNs) / 1e9 + 0.1);
  }
  expect(samples[0]?.roles.sending?.memoryMb).toBeGreaterThan(20);
  expect(samples[0]?.roles.receiving).toBeNull();
  expect(samples[0]?.roles.pacer?.cpuPercent).toBeGreaterThan(0);
  expect(samples[0]?.cpuPercent).toBeGreaterThan(0);
  expect(samples[0]?.cpuPercent).toBeLessThanOrEqual(100);
});

test('a sample is a mean over one second, taken every half', async () => {
  const clock = new SimulatedClock();
  const samples = sampleOf(process.pid, clock);
  await clock.pass(3000);
  const steps = samples.slice(1).map((sample, index) => (sample.atNs - (samples[index]?.atNs ?? 0)) / 1e9);
  expect(steps.length).toBeGreaterThanOrEqual(3);
  for (const step of steps) expect(step).toBe(0.5);
  expect(samples[0]).toMatchObject({ streams: 3, lostPerSecond: null, gpuPercent: null });
  expect(samples[0]?.notMeasured.gpuPercent).toMatch(/nvidia-smi/);
  expect([samples[0]?.gpuOthersPercent, samples[0]?.notMeasured.gpuOthersPercent]).toEqual([
    null,
    samples[0]?.notMeasured.gpuPercent,
  ]);
});

test('traffic over loopback of a known size is found, apart from the wire', async () => {
  const megabytes = 50;
  const bytesAtStart = loopbackBytes();
  const clock = new HandClock();
  const samples = sampleOf(process.pid, clock);
  clock.strike();
  clock.strike();
  const bytesBefore = loopbackBytes();
  await transfer(megabytes * 1e6);
  const carried = loopbackBytes() - bytesBefore;
  clock.strike();
  clock.strike();
  const reported = tilesAfter(0, samples).reduce(
    (total, { sample, seconds }) => total + ((sample.loopbackMbps ?? Number.NaN) * 1e6 * seconds) / 8,
    0,
  );
  expect(carried).toBeGreaterThan(megabytes * 1e6);
  expect(reported).toBeGreaterThan(0.95 * carried);
  expect(reported).toBeLessThan(1.05 * (loopbackBytes() - bytesAtStart));
  // Other tests make interfaces in this namespace.
  for (const { wireTransmitMbps, notMeasured } of samples)
    if (wireTransmitMbps === null)
      expect(notMeasured.wireTransmitMbps).toMatch(/^(?!lo ).+ came up or began/);
  expect(samples.at(-1)?.interfaces.find(({ name }) => name === 'lo')?.loopback).toBe(true);
});

test('interfaces that cannot be listed end nothing: the sample says what it lacks', async () => {
  const clock = new SimulatedClock();
  const samples = sampleOf(process.pid, clock, {
    interfacesUp() {
      throw new Error('uv_interface_addresses returned EMFILE');
    },
  });
  await clock.pass(2000);
  expect(samples[0]).toMatchObject({
    changes: [],
    notMeasured: {
      changes: 'the system did not list its interfaces: uv_interface_addresses returned EMFILE',
    },
  });
});

function loopbackBytes(): number {
  return readInterfaces()?.find((counters) => counters.name === 'lo')?.transmitBytes ?? Number.NaN;
}

/** Sends so many bytes through a TCP connection on loopback. */
function transfer(bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = 0;
    const server = createServer((socket) => {
      socket.on('data', (data) => {
        received += data.length;
        if (received >= bytes) {
          socket.destroy();
          server.close();
          resolve();
        }
      });
    });
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const client = connect(port, '127.0.0.1', () => client.write(Buffer.alloc(bytes)));
      client.on('error', () => undefined);
    });
  });
}

test('the role of a process that is known to be ours late is not measured in that second, and afterwards it is', async () => {
  const clock = new SimulatedClock();
  // Since when a process runs is compared with it.
  clock.uptimeSeconds = () => machineClock.uptimeSeconds();
  let looks = 0;
  const ids = (): number[] => (++looks > 3 ? [process.pid] : []);
  const samples: LoadSample[] = [];
  const gpu = new GpuSampler(clock, '/nonexistent/nvidia-smi');
  const sampler = new LoadSampler({
    ...{ wall: { clock, offsetUs: 0, look: () => null }, gpu, processIds: () => ({ receiving: ids() }) },
    ...{
      openStreams: () => 0,
      lostPerSecond: () => ({ reason: 'no stream is followed' }),
      latency: () => null,
    },
    onSample: (sample) => void samples.push(sample),
  });
  closers.push(() => sampler.close());
  closers.push(() => gpu.close());
  await clock.pass(3000);
  // The looks 0 to 2 did not know it: the samples that begin with one of them and end later do not know what it took.
  const late = `process ${process.pid} was not known to be one of ours when this second began`;
  expect(samples.slice(0, 5).map((sample) => othersCpuOf(sample))).toEqual([
    expect.any(Number),
    ...[late, late],
    ...[expect.any(Number), expect.any(Number)],
  ]);
  expect(samples.slice(0, 4).map(({ roles }) => roles.receiving === null)).toEqual([true, true, true, false]);
});
