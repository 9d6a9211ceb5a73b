import { cpus } from 'node:os';
import { expect, test, vi } from 'vitest';
import type { LoadSample } from '../../protocol/load';
import { HandClock } from '../../testing/hand-clock';
import { machineClock } from '../clock';
import { runTool, toolProcessIds } from '../tools/run-tool';
import type { ProcessTimes } from './cpu';
import { compareEnded, type EndedLook, lookAtEnded } from './ended-processes';
import { GpuSampler } from './gpu';
import { LoadSampler } from './sampler';

const engine = 1;

/** [id, ticks so far, who started it]; first the engine, with the ticks of those that ended. */
function look(childTicks: number, ...others: [id: number, ticks: number, parentId: number][]) {
  const times = { name: 'a', startTicks: 0, threads: 1, stopped: false };
  return new Map<number, ProcessTimes>([
    [engine, { ...times, ticks: 500, childTicks, parentId: 0 }],
    ...others.map(([id, ticks, parentId]): [number, ProcessTimes] => [
      id,
      { ...times, ticks, childTicks: 0, parentId },
    ]),
  ]);
}

/** Of the newest second, where looks are half a second apart. */
function endedIn(looks: ReturnType<typeof look>[]): number | null {
  const seen: EndedLook[] = [];
  for (const processes of looks) seen.push(lookAtEnded(processes, seen.at(-1) ?? null, engine));
  const [before, , now] = seen.slice(-3) as [EndedLook, EndedLook, EndedLook];
  return compareEnded(before, now, 1, 1, engine)?.cpuPercent ?? null;
}

test.each<[string, ReturnType<typeof look>[], number | null]>([
  ['none', [look(0, [7, 10, engine]), look(0, [7, 20, engine]), look(0, [7, 30, engine])], null],
  ['one that was there twice', [look(0, [7, 10, engine]), look(0, [7, 40, engine]), look(65)], 55],
  ['one that was there once', [look(0, [7, 10, engine]), look(35), look(35)], 25],
  ['one that one look saw', [look(0), look(0, [7, 20, engine]), look(45)], 45],
  ['two', [look(0, [7, 10, engine], [8, 5, engine]), look(0, [7, 20, engine], [8, 5, engine]), look(60)], 45],
  [
    'one, and before that second another',
    [look(0, [7, 90, engine], [8, 5, engine]), look(99, [8, 5, engine]), look(99, [8, 5, engine]), look(120)],
    16,
  ],
  // Nobody told us of it, and it may have used its time long before.
  ['one that no look saw', [look(0), look(0), look(900)], null],
  ['one of another program', [look(0, [7, 10, 99]), look(0), look(0)], null],
  ['one that is left to itself and runs on', [look(0, [7, 10, engine]), look(0), look(0)], null],
  [
    'one that is left to itself, as far as it was seen',
    [look(0, [7, 10, engine]), look(0, [7, 30, engine]), look(0)],
    20,
  ],
  [
    'one whose sum rose a look before it was gone',
    [look(0, [7, 10, engine]), look(65, [7, 20, engine]), look(65)],
    55,
  ],
  ['the same, a look later', [look(0), look(65, [7, 20, engine]), look(65), look(65)], 45],
  ['one whose sum rose a look after it was gone', [look(0, [7, 10, engine]), look(0), look(65)], 55],
  ['the same, a look later', [look(0, [7, 10, engine]), look(0, [7, 20, engine]), look(0), look(65)], 45],
  [
    'two, of which one rose early',
    [look(0, [7, 10, engine], [8, 15, engine]), look(40, [7, 10, engine], [8, 15, engine]), look(60)],
    35,
  ],
  [
    'one that had taken nothing when it was seen, and rose late',
    [look(0, [7, 0, engine]), look(0), look(9)],
    9,
  ],
  [
    'one that runs on, and two looks later one that no look saw',
    [look(0, [7, 10, engine]), look(0), look(0), look(900)],
    null,
  ],
  [
    'one that is gone two looks after one that no look saw',
    [look(0, [7, 10, engine]), look(900, [7, 10, engine]), look(900, [7, 10, engine]), look(915)],
    5,
  ],
  [
    'one that no look saw, a look before one that ended',
    [look(0, [7, 10, engine]), look(900, [7, 10, engine]), look(915)],
    5,
  ],
])('what processes took that ended: %s', (_, looks, cpuPercent) => {
  expect(endedIn(looks)).toBe(cpuPercent);
});

test('what a tool took of the CPU is ours to its last moment, however short it ran', async () => {
  const samples: LoadSample[] = [];
  const clock = new HandClock();
  const gpu = new GpuSampler(clock, '/nonexistent/nvidia-smi');
  const beganNs = clock.monotonicNs();
  const sampler = new LoadSampler({
    ...{ wall: { clock, offsetUs: 0, look: () => null }, gpu },
    processIds: () => ({ tools: toolProcessIds(), console: [process.pid] }),
    openStreams: () => 0,
    ...{ lostPerSecond: () => ({ reason: 'nothing is followed' }), latency: () => null },
    onSample: (sample) => void samples.push(sample),
  });
  const stopLooking = machineClock.every(200, () => clock.strike());
  const moreSamples = (count: number): Promise<void> => {
    const enough = samples.length + count;
    return vi.waitFor(() => expect(samples.length).toBeGreaterThanOrEqual(enough));
  };
  const used = 'const used = () => { const { user, system } = process.cpuUsage(); return user + system; };';
  const usedSeconds: number[] = [];
  try {
    for (const ms of [300, 550, 850]) {
      const args = ['-p', `${used} while (used() < ${ms * 1000}); used()`];
      const { stdout } = await runTool({ file: process.execPath, args, timeoutSeconds: 60 });
      usedSeconds.push(Number(stdout.trim().split('\n').at(-1)) / 1e6);
      await moreSamples(1);
    }
    await moreSamples(4);
  } finally {
    stopLooking();
    sampler.close();
    gpu.close();
  }
  // Every second sample tiles the time: each is a mean since the one two before it, the first one since the beginning.
  const cpuSeconds = samples.map(({ atNs, roles }, index) => {
    const seconds = (atNs - (samples[index - 2]?.atNs ?? beganNs)) / 1e9;
    const percent = (roles.tools?.cpuPercent ?? 0) + (roles.ended?.cpuPercent ?? 0);
    return (percent / 100) * cpus().length * seconds;
  });
  const total = cpuSeconds.filter((_, index) => index % 2 === 0).reduce((sum, one) => sum + one, 0);
  const burnt = usedSeconds.reduce((sum, seconds) => sum + seconds, 0);
  expect(burnt).toBeGreaterThan(1.6);
  // What a program takes until it can say it, and after that, is the rest.
  expect(total).toBeGreaterThan(burnt - 0.1);
  expect(total).toBeLessThan(1.15 * burnt + 0.5);
  expect(toolProcessIds()).toEqual([]);
});

test('a tool that cannot be started is none that runs', async () => {
  await expect(runTool({ file: '/nonexistent/tool', args: [], timeoutSeconds: 1 })).rejects.toThrow();
  expect(toolProcessIds()).toEqual([]);
});
