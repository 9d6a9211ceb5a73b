import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../protocol/clock';
import { exampleRow } from '../testing/example-run';
import { recorderIn } from '../testing/recorder';
import { temporaryFolder } from '../testing/temporary-folder';
import { machineClock } from './clock';
import { readEvents, readRun } from './sessions/read-run';
import { WallClock, wallStepEvent } from './wall-clock';

const folder = temporaryFolder();

/** A machine whose clocks a test sets, ms. */
class Machine {
  monotonicMs = 5000;
  wallMinusMonotonicMs = 1.7e12;
  sleptMs = 0;
  exactLooks = 0;
  readonly clock: Clock = {
    ...machineClock,
    monotonicNs: () => this.monotonicMs * 1e6,
    // The system gives whole seconds.
    uptimeSeconds: () => Math.floor((this.monotonicMs + this.sleptMs) / 1000),
    wallOffsetUs: () => {
      this.exactLooks += 1;
      return this.wallMinusMonotonicMs * 1000;
    },
    wallMs: () => Math.floor(this.monotonicMs + this.wallMinusMonotonicMs),
  };

  step(ms: number): void {
    this.wallMinusMonotonicMs += ms;
  }

  sleep(ms: number): void {
    this.sleptMs += ms;
    this.step(ms);
  }
}

function clockOf() {
  const machine = new Machine();
  return { machine, wall: new WallClock(machine.clock) };
}

test('between runs the offset follows a step at the next look', () => {
  const { machine, wall } = clockOf();
  machine.step(-3600_000);
  expect(wall.look()).toEqual({ byMs: -3600_000, slept: false, offsetUs: (1.7e12 - 3600_000) * 1000 });
  expect(wall.isoNow()).toBe(new Date(1.7e12 - 3600_000 + 5000).toISOString());
  expect(wall.look()).toBeNull();
});

test('a run keeps the offset that it began with, which is right at its beginning, and the next run has the new one', () => {
  const { machine, wall } = clockOf();
  machine.step(40);
  wall.hold();
  const offsetUs = wall.offsetUs;
  expect(offsetUs).toBe((1.7e12 + 40) * 1000);
  machine.step(250);
  expect(wall.look()).toMatchObject({ byMs: 250, slept: false });
  expect(wall.offsetUs).toBe(offsetUs);
  wall.release();
  expect(wall.offsetUs).toBe((1.7e12 + 290) * 1000);
});

test.each([
  [2000, true],
  [90_400, true],
  [600, false],
])('the machine sleeps for %d ms', (ms, slept) => {
  const { machine, wall } = clockOf();
  machine.sleep(ms);
  const step = wall.look();
  expect(step).toMatchObject({ byMs: ms, slept });
  if (slept && step)
    expect(wallStepEvent(step)[0]).toBe(`the machine was suspended for ${(ms / 1000).toFixed(1)} s`);
});

test('a wall clock set ahead while the machine sleeps is no sleep of that length', () => {
  const { machine, wall } = clockOf();
  machine.sleep(3000);
  machine.step(60_000);
  expect(wall.look()).toMatchObject({ byMs: 63_000, slept: false });
});

test('as long as no one sets the clock, a look never waits for one', () => {
  const { machine, wall } = clockOf();
  const before = machine.exactLooks;
  for (let look = 0; look < 1000; look++) {
    machine.monotonicMs += 499.7;
    expect(wall.look()).toBeNull();
  }
  expect(machine.exactLooks).toBe(before);
});

test('a run says its offset and each change of it, and its times go on in order', async () => {
  const { machine, wall } = clockOf();
  const path = join(folder, 'run');
  const { recorder } = recorderIn(path, { wall });
  machine.monotonicMs += 1000;
  machine.step(-7200_000);
  const step = wall.look();
  if (step) recorder.event('wall-clock-step', ...wallStepEvent(step));
  machine.monotonicMs += 1000;
  recorder.annotate({ at: new Date(0).toISOString(), kind: 'note', text: 'two hours back' });
  recorder.row(exampleRow(0));
  await recorder.end('finished', 'PASS', '');
  const at = (ms: number): string => new Date(1.7e12 + 5000 + ms).toISOString();
  const events = readEvents(path);
  expect(events.map((event) => event.at)).toEqual([at(0), at(1000), at(2000), at(2000)]);
  expect(events[1]).toMatchObject({
    kind: 'wall-clock-step',
    text: 'this machine’s wall clock was set 7200000.0 ms back',
  });
  const run = readRun(path);
  expect(run.wallOffsets).toEqual([
    { at: at(0), offsetUs: 1.7e15 },
    { at: at(1000), offsetUs: 1.7e15 - 7200e6 },
  ]);
  expect(run.startedAt).toBe(at(0));
  expect(run.endedAt).toBe(at(2000));
});
