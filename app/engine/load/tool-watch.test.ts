import { spawn } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { isInFreezer, lookAtTools, type ThreadLook, type ToolLooks, toolStandstills } from './tool-watch';

const look = (atMs: number, threads: Record<string, ThreadLook>, name = 'fio'): ToolLooks => ({
  atNs: atMs * 1e6,
  tools: new Map([[7, { name, threads: new Map(Object.entries(threads)) }]]),
});
const asleep: ThreadLook = { state: 'other', cpuNs: 5 };
const stopped: ThreadLook = { state: 'stopped', cpuNs: 5 };
const runnable = (cpuNs: number | null): ThreadLook => ({ state: 'runnable', cpuNs });
const piecesOf = (...looks: ToolLooks[]) =>
  looks.slice(1).flatMap((now, index) => toolStandstills(looks[index] as ToolLooks, now));

test.each<[string, ToolLooks[], unknown[]]>([
  ['asleep, or waiting for a disk', [look(0, { 7: asleep }), look(250, { 7: asleep })], []],
  ['it ran', [look(0, { 7: runnable(5) }), look(250, { 7: runnable(6) })], []],
  ['it woke up', [look(0, { 7: asleep }), look(250, { 7: runnable(5) })], []],
  ['its time is not known', [look(0, { 7: runnable(null) }), look(250, { 7: runnable(null) })], []],
  ['another thread has its number', [look(0, { 7: runnable(5) }), look(250, { 8: runnable(5) })], []],
  ['it is about to become fio', [look(0, { 7: asleep }, 'setpriv'), look(250, { 7: stopped })], []],
  [
    'one of its threads was starved',
    [look(0, { 7: asleep, 8: runnable(5) }), look(250, { 7: asleep, 8: runnable(5) })],
    [{ who: { tool: 'fio' }, kind: 'starved', fromNs: 0, toNs: 250e6 }],
  ],
  [
    'stopped when it was looked at',
    [look(0, { 7: asleep }), look(250, { 7: stopped }), look(500, { 7: asleep })],
    [{ who: { tool: 'fio' }, kind: 'stopped', fromNs: 0, toNs: 375e6 }],
  ],
])('%s', (_, looks, pieces) => {
  expect(piecesOf(...looks)).toEqual(pieces);
});

test.each([
  ['__refrigerator', true],
  ['do_freezer_trap', true],
  ['io_schedule', false],
  ['0', false],
  ['', false],
])('a thread that waits in %j is frozen: %s', (waitsIn, isFrozen) => {
  expect(isInFreezer(waitsIn)).toBe(isFrozen);
});

test('a real program and what it started: asleep, stopped, and asleep again', async () => {
  const child = spawn('sh', ['-c', 'sleep 60 & wait'], { stdio: 'ignore', detached: true });
  const id = child.pid ?? 0;
  const states = (): string[] =>
    [...lookAtTools([id]).values()].flatMap(({ name, threads }) =>
      [...threads.values()].map(({ state }) => `${name} ${state}`),
    );
  try {
    await vi.waitFor(() => expect(states()).toEqual(['sh other', 'sleep other']), 60_000);
    process.kill(-id, 'SIGSTOP');
    await vi.waitFor(() => expect(states()).toEqual(['sh stopped', 'sleep stopped']), 60_000);
    process.kill(-id, 'SIGCONT');
    await vi.waitFor(() => expect(states()).toEqual(['sh other', 'sleep other']), 60_000);
  } finally {
    process.kill(-id, 'SIGKILL');
  }
  await vi.waitFor(() => expect(states()).toEqual([]), 60_000);
});
