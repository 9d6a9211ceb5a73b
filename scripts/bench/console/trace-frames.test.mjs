import { expect, test } from 'vitest';
import { frameCosts } from './trace-frames.ts';

const frameUs = 1e6 / 60;
const thread = { name: 'thread_name', ph: 'M', pid: 7, tid: 1, ts: 0, args: { name: 'CrRendererMain' } };
const span = (name, frame, ms, offsetMs = 0) => ({
  ...{ name, ph: 'X', pid: 7, tid: 1 },
  ts: frame * frameUs + offsetMs * 1000,
  dur: ms * 1000,
  tdur: ms * 500,
});

test('script is counted to the frame in which it was called, nested calls once', () => {
  const events = [
    thread,
    span('RunTask', 0, 9),
    span('v8.callFunction', 0, 6, 1),
    span('FunctionCall', 0, 5, 1.5),
    span('RunMicrotasks', 30, 3),
    span('Layout', 30, 8, 3),
  ];
  const { scriptMs, scriptCpuMs } = frameCosts(events, 7, 1);
  expect(scriptMs).toEqual({ mean: 9 / 60, p99: 6, max: 6 });
  expect(scriptCpuMs).toEqual({ mean: 4.5 / 60, p99: 3, max: 3 });
});

test('tasks of more than 50 ms are long, and only those of the main thread count', () => {
  const tasks = [span('RunTask', 0, 50), span('RunTask', 10, 51), span('RunTask', 20, 99)];
  const others = [
    { ...span('RunTask', 3, 500), tid: 2 },
    { ...span('RunTask', 4, 500), pid: 8 },
  ];
  const costs = frameCosts([thread, ...tasks, ...others], 7, 2);
  expect(costs).toMatchObject({ longTasks: 2, longestTaskMs: 99, busyPercent: 10 });
});

test('a trace without the main thread is no measurement', () => {
  expect(() => frameCosts([span('RunTask', 0, 1)], 7, 1)).toThrow('main one');
});
