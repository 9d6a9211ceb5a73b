import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleRow } from '../testing/example-run';
import { recorderIn } from '../testing/recorder';
import { SimulatedClock } from '../testing/simulated-clock';
import { temporaryFolder } from '../testing/temporary-folder';
import { readEvents, readRun } from './sessions/read-run';
import { WallClock, wallStepEvent } from './wall-clock';

const folder = temporaryFolder();

/** The system gives the time since its start in whole seconds, and to be exact about the wall clock takes time. */
class Machine extends SimulatedClock {
  exactLooks = 0;

  override uptimeSeconds(): number {
    return Math.floor(super.uptimeSeconds());
  }

  override wallOffsetUs(): number {
    this.exactLooks += 1;
    return super.wallOffsetUs();
  }
}

function clockOf() {
  const machine = new Machine();
  return {
    machine,
    wall: new WallClock(machine),
    beganMs: machine.wallMs(),
    beganUs: machine.wallOffsetUs(),
  };
}

test('between runs the offset follows a step at the next look', () => {
  const { machine, wall, beganMs, beganUs } = clockOf();
  machine.stepWall(-3600_000);
  expect(wall.look()).toEqual({ byMs: -3600_000, slept: false, offsetUs: beganUs - 3600e6 });
  expect(wall.isoNow()).toBe(new Date(beganMs - 3600_000).toISOString());
  expect(wall.look()).toBeNull();
});

test('a run keeps the offset that it began with, which is right at its beginning, and the next run has the new one', () => {
  const { machine, wall, beganUs } = clockOf();
  machine.stepWall(40);
  wall.hold();
  const offsetUs = wall.offsetUs;
  expect(offsetUs).toBe(beganUs + 40e3);
  machine.stepWall(250);
  expect(wall.look()).toMatchObject({ byMs: 250, slept: false });
  expect(wall.offsetUs).toBe(offsetUs);
  wall.release();
  expect(wall.offsetUs).toBe(beganUs + 290e3);
});

test.each([
  [2000, true],
  [90_400, true],
  [600, false],
])('the machine sleeps for %d ms', (ms, slept) => {
  const { machine, wall } = clockOf();
  machine.suspend(ms);
  const step = wall.look();
  expect(step).toMatchObject({ byMs: ms, slept });
  if (slept && step)
    expect(wallStepEvent(step)[0]).toBe(`the machine was suspended for ${(ms / 1000).toFixed(1)} s`);
});

test('a wall clock set ahead while the machine sleeps is no sleep of that length', () => {
  const { machine, wall } = clockOf();
  machine.suspend(3000);
  machine.stepWall(60_000);
  expect(wall.look()).toMatchObject({ byMs: 63_000, slept: false });
});

test('as long as no one sets the clock, a look never waits for one', () => {
  const { machine, wall } = clockOf();
  const before = machine.exactLooks;
  for (let look = 0; look < 1000; look++) {
    machine.stall(499.7);
    expect(wall.look()).toBeNull();
  }
  expect(machine.exactLooks).toBe(before);
});

test('a run says its offset and each change of it, and its times go on in order', async () => {
  const { machine, wall, beganMs, beganUs } = clockOf();
  const path = join(folder, 'run');
  const { recorder } = recorderIn(path, { wall });
  machine.stall(1000);
  machine.stepWall(-7200_000);
  const step = wall.look();
  if (step) recorder.event('wall-clock-step', ...wallStepEvent(step));
  machine.stall(1000);
  recorder.annotate({ at: new Date(0).toISOString(), kind: 'note', text: 'two hours back' });
  recorder.row(exampleRow(0));
  await recorder.end('finished', 'PASS', '');
  const at = (ms: number): string => new Date(beganMs + ms).toISOString();
  const events = readEvents(path);
  expect(events.map((event) => event.at)).toEqual([at(0), at(1000), at(2000), at(2000)]);
  expect(events[1]).toMatchObject({
    kind: 'wall-clock-step',
    text: 'this machine’s wall clock was set 7200000.0 ms back',
  });
  const run = readRun(path);
  expect(run.wallOffsets).toEqual([
    { at: at(0), offsetUs: beganUs },
    { at: at(1000), offsetUs: beganUs - 7200e6 },
  ]);
  expect(run.startedAt).toBe(at(0));
  expect(run.endedAt).toBe(at(2000));
});
