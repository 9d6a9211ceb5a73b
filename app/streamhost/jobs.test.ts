import { beforeEach, expect, test } from 'vitest';
import type { HostProgress } from '../protocol/host';
import { SimulatedClock } from '../testing/simulated-clock';
import { Jobs } from './jobs';

interface Status {
  state: 'running' | 'done';
  done: number;
}

/** Native work that gets one frame further with each look, and says so if it is read when it is closed. */
class FakeWork {
  done = 0;
  closed = 0;

  constructor(private readonly frames: number) {}

  status(): Status {
    if (this.closed > 0) throw new Error('asked after it was closed');
    if (this.done < this.frames) this.done += 1;
    return { state: this.done < this.frames ? 'running' : 'done', done: this.done };
  }

  close(): void {
    this.closed += 1;
  }
}

const look = {
  isOver: ({ state }: Status) => state !== 'running',
  progressOf: ({ done }: Status) => ({ framesDone: done, frames: 5 }),
};

let reported: HostProgress[];
let clock: SimulatedClock;
let jobs: Jobs;

beforeEach(() => {
  reported = [];
  clock = new SimulatedClock();
  jobs = new Jobs((progress) => reported.push(progress), clock);
});

test('a job is polled until it is over, reports its progress and is closed once', async () => {
  const work = new FakeWork(5);
  expect(await clock.until(jobs.run(7, work, look))).toEqual({ state: 'done', done: 5 });
  expect(reported).toEqual(
    [1, 2, 3, 4].map((framesDone) => ({ type: 'progress', requestId: 7, framesDone, frames: 5 })),
  );
  expect(work.closed).toBe(1);
});

test('a long job is polled ten times a second', async () => {
  const ended = jobs.run(1, new FakeWork(1000), look);
  await clock.pass(1000);
  const looks = reported.length;
  await clock.pass(10_000);
  expect(reported.length - looks).toBe(100);
  jobs.cancel(1);
  await ended;
});

test('a cancelled job answers at once as it stands; the others go on', async () => {
  const [first, second] = [new FakeWork(1e9), new FakeWork(6)];
  const cancelled = jobs.run(1, first, look);
  const other = jobs.run(2, second, look);
  await clock.untilSo(() => first.done > 2);
  const before = first.done;
  expect(jobs.cancel(1)).toBe(true);
  expect(first.closed).toBe(1);
  expect(await cancelled).toEqual({ state: 'running', done: before + 1 });
  expect(await clock.until(other)).toEqual({ state: 'done', done: 6 });
  expect([first.closed, second.closed]).toEqual([1, 1]);
  expect(jobs.cancel(1)).toBe(false);
  expect(jobs.cancel(99)).toBe(false);
});

test('closing ends every job before it returns', async () => {
  const works = [new FakeWork(1e9), new FakeWork(1e9)];
  const ended = works.map((work, index) => jobs.run(index, work, look));
  jobs.close();
  expect(works.map((work) => work.closed)).toEqual([1, 1]);
  await expect(Promise.all(ended)).resolves.toHaveLength(2);
});

test('a job whose status cannot be had is closed, and its error is the answer', async () => {
  const work = new FakeWork(5);
  work.status = () => {
    throw new Error('broken');
  };
  await expect(jobs.run(1, work, look)).rejects.toThrow('broken');
  expect(work.closed).toBe(1);
  expect(jobs.cancel(1)).toBe(false);
});
