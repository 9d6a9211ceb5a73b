import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { cpus } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import type { LoadSample } from '../../protocol/load';
import { monotonicNs, sleep } from '../clock';
import { readProcessTicks, ticksPerSecond } from './cpu';
import { GpuSampler } from './gpu';
import { readInterfaces } from './network';
import { LoadSampler } from './sampler';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function sampleOf(processId: number): LoadSample[] {
  const samples: LoadSample[] = [];
  const gpu = new GpuSampler('/nonexistent/nvidia-smi');
  const sampler = new LoadSampler({
    wall: { offsetUs: 0 },
    gpu,
    processIds: () => ({ sending: [processId], receiving: [], pacer: [processId] }),
    openStreams: () => 3,
    lostPerSecond: () => null,
    latency: () => null,
    onSample: (sample) => samples.push(sample),
  });
  closers.push(() => {
    sampler.close();
    gpu.close();
  });
  return samples;
}

test('the CPU of a process that burns one core is what the kernel says, and one core at most', async () => {
  const child = spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' });
  closers.push(() => child.kill('SIGKILL'));
  const processId = child.pid ?? 0;
  await sleep(500);
  const samples = sampleOf(processId);
  const ticksBefore = readProcessTicks(processId) ?? 0;
  const beforeNs = monotonicNs();
  await vi.waitFor(() => expect(samples.length).toBeGreaterThanOrEqual(5), { timeout: 10_000 });
  const seconds = (monotonicNs() - beforeNs) / 1e9;
  const used = ((readProcessTicks(processId) ?? 0) - ticksBefore) / ticksPerSecond;
  const expected = (100 * used) / seconds / cpus().length;
  const measured = samples.map((sample) => sample.roles.sending?.cpuPercent ?? Number.NaN);
  const mean = measured.reduce((total, value) => total + value, 0) / measured.length;
  expect(Math.abs(mean - expected)).toBeLessThan(10);
  expect(Math.max(...measured)).toBeLessThan(100 / cpus().length + 10);
  expect(samples[0]?.roles.sending?.memoryMb).toBeGreaterThan(20);
  expect(samples[0]?.roles.receiving).toBeNull();
  expect(samples[0]?.roles.pacer?.cpuPercent).toBeGreaterThan(0);
  expect(samples[0]?.cpuPercent).toBeGreaterThan(0);
  expect(samples[0]?.cpuPercent).toBeLessThanOrEqual(100);
});

test('a sample is a mean over one second, taken every half', async () => {
  const samples = sampleOf(process.pid);
  await vi.waitFor(() => expect(samples.length).toBeGreaterThanOrEqual(4), { timeout: 10_000 });
  const steps = samples.slice(1).map((sample, index) => (sample.atNs - (samples[index]?.atNs ?? 0)) / 1e9);
  for (const step of steps) expect(step).toBeGreaterThan(0.3);
  expect(samples[0]).toMatchObject({ streams: 3, lostPerSecond: null, gpuPercent: null });
  expect(samples[0]?.notMeasured.gpuPercent).toMatch(/nvidia-smi/);
});

test('traffic over loopback of a known size is found, apart from the wire', async () => {
  const megabytes = 200;
  const bytesAtStart = loopbackBytes();
  const samples = sampleOf(process.pid);
  await vi.waitFor(() => expect(samples.length).toBeGreaterThanOrEqual(1), { timeout: 10_000 });
  const bytesBefore = loopbackBytes();
  await transfer(megabytes * 1e6);
  const carried = loopbackBytes() - bytesBefore;
  const endNs = monotonicNs();
  await vi.waitFor(() => expect(samples.at(-1)?.atNs).toBeGreaterThan(endNs + 1.1e9), { timeout: 10_000 });
  // Each second is reported twice, since a mean over one second is taken every half.
  const reported = samples.reduce((total, sample, index) => {
    const stepSeconds = (sample.atNs - (samples[index - 1]?.atNs ?? sample.atNs - 0.5e9)) / 1e9;
    return total + ((sample.loopbackMbps ?? Number.NaN) * 1e6 * stepSeconds) / 8;
  }, 0);
  expect(carried).toBeGreaterThan(megabytes * 1e6);
  expect(reported).toBeGreaterThan(0.95 * carried);
  expect(reported).toBeLessThan(1.05 * (loopbackBytes() - bytesAtStart));
  expect(samples.every((sample) => sample.wireTransmitMbps !== null)).toBe(true);
  expect(samples.at(-1)?.interfaces.find(({ name }) => name === 'lo')?.loopback).toBe(true);
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
