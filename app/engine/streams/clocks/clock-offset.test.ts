import { describe, expect, test } from 'vitest';
import type { ClockRecords } from '../../../protocol/records';
import { Random, seeds } from '../../../testing/random';
import { ClockOffset } from './clock-offset';

const wallOffsetUs = 1_700_000_000_000_000;

/** Two machines with clocks of their own and a network between them; times are ns of our monotonic clock. */
class TwoMachines {
  /** Sender's release clock minus ours at time 0, µs, and what it gains. */
  skewUs = 37_000;
  ppm = 20;
  /** Time on the way there and back, µs. */
  way: () => [number, number] = () => [100, 100];

  /** At a moment of ours. */
  truthUs(atNs: number): number {
    return this.skewUs + (atNs / 1000) * (this.ppm / 1e6);
  }

  ask(atNs: number): number[] {
    const [there, back] = this.way();
    const asked = atNs / 1000;
    const heard = asked + there;
    const replied = heard + 30;
    const answered = replied + back;
    const ours = (us: number): number => Math.floor(us + wallOffsetUs);
    const theirs = (us: number): number => Math.floor(us + wallOffsetUs + this.truthUs(us * 1000));
    return [ours(asked), theirs(heard), theirs(replied), ours(answered)];
  }
}

function records(...answers: number[][]): ClockRecords {
  const column = (index: number): Float64Array => Float64Array.from(answers, (answer) => answer[index] ?? 0);
  return {
    askedUs: column(0),
    heardUs: column(1),
    repliedUs: column(2),
    answeredUs: column(3),
    overflowed: 0,
  };
}

/** Asks five times a second from `fromSeconds` to `toSeconds`. */
function talk(
  clock: ClockOffset,
  machines: TwoMachines,
  fromSeconds: number,
  toSeconds: number,
  perAnswer: (atNs: number) => void = () => undefined,
): void {
  for (let atNs = fromSeconds * 1e9; atNs < toSeconds * 1e9; atNs += 0.2e9) {
    clock.add(records(machines.ask(atNs)));
    perAnswer(atNs);
  }
}

/** How far the estimate is off, and how far it says that it may be, ms. */
function look(clock: ClockOffset, machines: TwoMachines, atNs: number): { offMs: number; shownMs: number } {
  const offset = clock.offsetUs(atNs);
  const uncertainty = clock.uncertaintyUs(atNs);
  if (offset === null || uncertainty === null) throw new Error(`nothing is known at ${atNs} ns`);
  const offMs = Math.abs(offset - wallOffsetUs - machines.truthUs(atNs)) / 1000;
  return { offMs, shownMs: uncertainty / 1000 };
}

describe.each(seeds)('seed %i', (seed) => {
  const random = new Random(seed);
  /** A short way, behind a queue that is often empty and sometimes long, of each direction its own. */
  const queue = (shortestUs: number, typicalUs: number): number =>
    shortestUs - Math.log(1 - random.next()) * typicalUs * (random.chance(0.05) ? 20 : 1);

  test('37 ms and 20 ppm are found within the shown ±, at all times, however the ways queue', () => {
    for (let world = 0; world < 40; world++) {
      const machines = new TwoMachines();
      const [there, back] = [random.whole(20, 400), random.whole(20, 400)];
      const [queueThere, queueBack] = [random.whole(1, 2000), random.whole(1, 2000)];
      const lost = random.next() * 0.5;
      machines.ppm = random.chance(0.5) ? 20 : random.whole(-150, 150);
      machines.way = () => [queue(there, queueThere), queue(back, queueBack)];
      const clock = new ClockOffset(wallOffsetUs);
      for (let atNs = 0; atNs < 150e9; atNs += 0.2e9) {
        if (!random.chance(lost)) clock.add(records(machines.ask(atNs)));
        if (atNs < 5e9) continue;
        for (const askedNs of [atNs, atNs + 0.2e9, atNs - random.next() * Math.min(60e9, atNs)]) {
          const { offMs, shownMs } = look(clock, machines, askedNs);
          expect(offMs, `world ${world} at ${atNs} ns, ${askedNs} ns`).toBeLessThanOrEqual(shownMs);
        }
      }
      const { shownMs } = look(clock, machines, 150e9);
      expect(shownMs, `world ${world}`).toBeLessThan(1);
      const { ppm, uncertaintyPpm } = clock.drift ?? { ppm: Number.NaN, uncertaintyPpm: 0 };
      expect(Math.abs(ppm - machines.ppm)).toBeLessThanOrEqual(uncertaintyPpm + 1);
      expect(uncertaintyPpm).toBeLessThan(25);
      expect(clock.stepCount).toBe(0);
    }
  });

  test('a way that is always longer in one direction is within the shown ±', () => {
    const machines = new TwoMachines();
    machines.way = () => [queue(50, 20), queue(900, 20)];
    const clock = new ClockOffset(wallOffsetUs);
    talk(clock, machines, 0, 60, (atNs) => {
      if (atNs < 2e9) return;
      const { offMs, shownMs } = look(clock, machines, atNs);
      expect(offMs).toBeLessThanOrEqual(shownMs);
    });
    const { offMs, shownMs } = look(clock, machines, 60e9);
    expect(offMs).toBeGreaterThan(0.3);
    expect(shownMs).toBeLessThan(1);
  });

  test('a step is found within a second and reported with its time and size', () => {
    for (let world = 0; world < 40; world++) {
      const machines = new TwoMachines();
      machines.way = () => [queue(80, 50), queue(80, 50)];
      const clock = new ClockOffset(wallOffsetUs);
      talk(clock, machines, 0, 30);
      const before = look(clock, machines, 29.5e9);
      const stepUs = random.whole(20_000, 5_000_000) * (random.chance(0.5) ? 1 : -1);
      machines.skewUs += stepUs;
      talk(clock, machines, 30, 32);
      expect(clock.stepCount).toBe(1);
      const [step] = clock.steps;
      expect(step?.atNs).toBeGreaterThan(29.8e9);
      expect(step?.atNs).toBeLessThan(30.2e9);
      expect(Math.abs((step?.byUs ?? 0) - stepUs)).toBeLessThan(5000);
      const after = look(clock, machines, 31.9e9);
      expect(after.offMs).toBeLessThanOrEqual(after.shownMs);
      // What was captured before the step is still timed by the clock of then.
      machines.skewUs -= stepUs;
      expect(look(clock, machines, 20e9).offMs).toBeLessThan(before.shownMs);
    }
  });
});

test('before enough answers, long after the last, and between two clocks nothing is known', () => {
  const machines = new TwoMachines();
  const clock = new ClockOffset(wallOffsetUs);
  expect(clock.offsetUs(0)).toBeNull();
  talk(clock, machines, 0, 0.7);
  expect(clock.offsetUs(0.7e9)).toBeNull();
  expect(clock.uncertaintyUs(0.7e9)).toBeNull();
  expect(clock.drift).toBeNull();
  talk(clock, machines, 0.8, 10);
  expect(clock.offsetUs(10e9)).not.toBeNull();
  expect(clock.offsetUs(69e9)).not.toBeNull();
  expect(clock.offsetUs(72e9)).toBeNull();

  machines.skewUs += 1e6;
  talk(clock, machines, 20, 20.3);
  expect(clock.offsetUs(20.1e9)).toBeNull();
  expect(clock.offsetUs(9.7e9)).not.toBeNull();
  talk(clock, machines, 20.4, 22);
  expect(clock.offsetUs(15e9)).toBeNull();
  expect(clock.offsetUs(21e9)).not.toBeNull();
});

test('the shown ± grows while no answers come, and is half the way at least', () => {
  const machines = new TwoMachines();
  const clock = new ClockOffset(wallOffsetUs);
  talk(clock, machines, 0, 60);
  const now = look(clock, machines, 59.8e9).shownMs;
  expect(now).toBeGreaterThan(0.1);
  expect(now).toBeLessThan(0.12);
  expect(look(clock, machines, 110e9).shownMs).toBeGreaterThan(now + 0.1);
});

test('nonsense is passed over: the estimate stays as it is', () => {
  const machines = new TwoMachines();
  const clock = new ClockOffset(wallOffsetUs);
  talk(clock, machines, 0, 10);
  const before = clock.offsetUs(9e9);
  const [asked, heard, replied, answered] = machines.ask(10e9) as [number, number, number, number];
  const nonsense = [
    [Number.NaN, heard, replied, answered],
    [asked, Number.NaN, replied, answered],
    [asked, heard, Number.POSITIVE_INFINITY, answered],
    [answered, heard, replied, asked],
    [asked, replied, heard, answered],
    // It says that it took longer to reply than the answer was away.
    [asked, heard, replied + 1e6, answered],
    // Once, one says what no other says.
    [asked, heard + 9e9, replied + 9e9, answered],
  ];
  clock.add(records(...nonsense));
  talk(clock, machines, 10.2, 11);
  expect(clock.refused).toBe(nonsense.length);
  expect(clock.stepCount).toBe(0);
  expect(clock.offsetUs(9e9)).toBe(before);
  const { offMs, shownMs } = look(clock, machines, 11e9);
  expect(offMs).toBeLessThanOrEqual(shownMs);
});

test('answers that do not even agree with each other are no step, however many', () => {
  const machines = new TwoMachines();
  const clock = new ClockOffset(wallOffsetUs);
  talk(clock, machines, 0, 10);
  for (let index = 1; index <= 10; index++) {
    const [asked = 0, heard = 0, replied = 0, answered = 0] = machines.ask(10e9 + index * 0.2e9);
    clock.add(records([asked, heard + index * 1e6, replied + index * 1e6, answered]));
  }
  expect(clock.stepCount).toBe(0);
  talk(clock, machines, 13, 14);
  expect(clock.refused).toBe(10);
  const { offMs, shownMs } = look(clock, machines, 14e9);
  expect(offMs).toBeLessThanOrEqual(shownMs);
});

test('a sender whose first answer is nonsense is believed from the next ones on, without a step', () => {
  const machines = new TwoMachines();
  const clock = new ClockOffset(wallOffsetUs);
  const [asked = 0, heard = 0, replied = 0, answered = 0] = machines.ask(0);
  clock.add(records([asked, heard + 7e9, replied + 7e9, answered]));
  talk(clock, machines, 0.2, 5);
  expect(clock.stepCount).toBe(0);
  const { offMs, shownMs } = look(clock, machines, 5e9);
  expect(offMs).toBeLessThanOrEqual(shownMs);
});

test('a clock that steps all the time keeps no more than the newest steps', () => {
  const machines = new TwoMachines();
  const clock = new ClockOffset(wallOffsetUs);
  for (let round = 0; round < 40; round++) {
    talk(clock, machines, 2 * round, 2 * round + 2);
    machines.skewUs += 1e6;
  }
  expect(clock.stepCount).toBe(39);
  expect(clock.steps).toHaveLength(16);
});
