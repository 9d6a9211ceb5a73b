import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { machineClock } from '../../app/engine/clock';
import { readProcessTicks, ticksPerSecond } from '../../app/engine/load/cpu';
import { GpuSampler } from '../../app/engine/load/gpu';
import { LoadSampler } from '../../app/engine/load/sampler';
import type { LoadSample } from '../../app/protocol/load';

/**
 * The load sampler alone in a process, sampling hosts with many threads: what it costs, and how long one look holds
 * up the event loop. Prints one JSON object.
 */

interface Options {
  processes: number;
  threadsEach: number;
  seconds: number;
}

/** Code that runs twice a second takes so long until it is compiled. */
const warmUpSeconds = 15;
/** Of a Node process without work for its pool. */
const ownThreads = 7;

/** A process with many threads, all asleep: sampling them costs the same as when they are awake. */
async function manyThreads(threads: number): Promise<ChildProcess> {
  const program =
    "require('node:fs').stat('.', () => console.log('ready')); setInterval(() => undefined, 1e6);";
  const child = spawn(process.execPath, ['-e', program], {
    env: { ...process.env, UV_THREADPOOL_SIZE: String(threads - ownThreads) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout?.once('data', resolve);
  });
  const found = readdirSync(`/proc/${child.pid}/task`).length;
  if (found >= threads) return child;
  child.kill();
  throw new Error(`Expected a process of ${threads} threads, but it has ${found}`);
}

async function measure({ processes, threadsEach, seconds }: Options): Promise<Record<string, unknown>> {
  const children = await Promise.all(Array.from({ length: processes }, () => manyThreads(threadsEach)));
  const ids = children.map(({ pid }) => pid ?? 0);
  const half = processes >> 1;
  const lookMs: number[] = [];
  const gpu = new GpuSampler(machineClock);
  const sampler = new LoadSampler({
    wall: { clock: machineClock, offsetUs: 0, look: () => null },
    gpu,
    processIds: () => ({ sending: ids.slice(0, half), receiving: ids.slice(half), console: [process.pid] }),
    openStreams: () => 0,
    lostPerSecond: () => ({ reason: 'no stream is followed' }),
    latency: () => null,
    onSample: (sample) => {
      requireThreads(sample, processes * threadsEach);
      lookMs.push((machineClock.monotonicNs() - sample.atNs) / 1e6);
    },
  });
  try {
    await machineClock.sleep(warmUpSeconds * 1000);
    lookMs.length = 0;
    const startNs = machineClock.monotonicNs();
    const start = process.cpuUsage();
    const gpuTicks = toolTicks(gpu);
    await machineClock.sleep(seconds * 1000);
    const { user, system } = process.cpuUsage(start);
    const share = (cpuSeconds: number): number =>
      (100 * cpuSeconds) / ((machineClock.monotonicNs() - startNs) / 1e9);
    const [before, after] = [gpuTicks, toolTicks(gpu)];
    return {
      samplerPercent: share((user + system) / 1e6),
      gpuToolPercent: before === null || after === null ? null : share((after - before) / ticksPerSecond),
      gpuToolReason: gpu.reason,
      samples: lookMs.length,
      lookMs,
    };
  } finally {
    sampler.close();
    gpu.close();
    for (const child of children) child.kill();
  }
}

/** A sampler that does not read the threads would cost little. */
function requireThreads({ roles }: LoadSample, threads: number): void {
  const parts = [...(roles.sending?.parts ?? []), ...(roles.receiving?.parts ?? [])];
  const seen = parts.reduce((sum, part) => sum + part.threads, 0);
  if (seen < threads) throw new Error(`Expected a look at ${threads} threads, but there were ${seen}`);
}

function toolTicks({ processId }: GpuSampler): number | null {
  return processId === null ? null : readProcessTicks(processId);
}

measure(JSON.parse(process.argv[2] ?? '{}') as Options).then(
  (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
