import { expect, test } from 'vitest';
import { Random } from '../../testing/random';
import { MachineClock } from './machine-clock';
import { MachineReleaseClock } from './machine-release-clock';

const aheadNs = 108_000e9;

/** Answers four times a second over a path that delays each way by up to `mostWayNs`. */
function follow(seconds: number, ppm: number, mostWayNs = 0.4e6) {
  const random = new Random(7);
  const clock = new MachineClock();
  const theirs = (ourNs: number): number => aheadNs + ourNs * (1 + ppm / 1e6);
  const looks: { ourNs: number; errorNs: number; uncertaintyNs: number | null }[] = [];
  for (let askedNs = 1e9; askedNs < seconds * 1e9; askedNs += 0.25e9) {
    const [thereNs, backNs] = [1, 2].map(() => 0.05e6 + random.next() * mostWayNs) as [number, number];
    const heardNs = theirs(askedNs + thereNs);
    clock.add({ askedNs, heardNs, repliedNs: heardNs, answeredNs: askedNs + thereNs + backNs });
    if (!clock.isKnown) continue;
    const ourNs = askedNs + 0.2e9;
    const errorNs = clock.toOursNs(theirs(ourNs)) - ourNs;
    looks.push({ ourNs, errorNs, uncertaintyNs: clock.uncertaintyNs(ourNs) });
  }
  return { clock, looks, theirs };
}

test.each([0, 50, -50, 500, -500])(
  'a clock that runs fast by %s ppm, and is hours ahead, is mapped within its ±',
  (ppm) => {
    const { clock, looks } = follow(600, ppm);
    expect(looks.length).toBeGreaterThan(2000);
    for (const { errorNs, uncertaintyNs } of looks)
      expect(Math.abs(errorNs)).toBeLessThanOrEqual(uncertaintyNs ?? 0);
    // After a minute the quickest answers have shown it.
    const late = looks.filter(({ ourNs }) => ourNs > 60e9);
    expect(Math.max(...late.map(({ errorNs }) => Math.abs(errorNs)))).toBeLessThan(0.2e6);
    expect(Math.max(...late.map(({ uncertaintyNs }) => uncertaintyNs ?? Infinity))).toBeLessThan(0.5e6);
    expect(Math.abs((clock.driftPpm ?? 0) - ppm)).toBeLessThan(1);
    expect(clock.stepCount).toBe(0);
  },
);

test('moments of theirs come in their order, and an interval is as long as it was, to half a thousandth', () => {
  const { clock, theirs } = follow(120, 50);
  let before = clock.toOursNs(theirs(100e9));
  for (let ourNs = 100e9 + 16e6; ourNs < 115e9; ourNs += 16e6) {
    const mapped = clock.toOursNs(theirs(ourNs));
    expect(Math.abs(mapped - before - 16e6)).toBeLessThan(16e6 * 600e-6);
    before = mapped;
  }
});

test('there and back is the same moment', () => {
  const { clock } = follow(60, 50);
  for (const ourNs of [50e9, 55e9 + 1, 59e9])
    expect(clock.toOursNs(clock.toTheirsNs(ourNs))).toBeCloseTo(ourNs, -2);
});

test('a clock that jumps is followed at once, and the jump is counted', () => {
  const { clock } = follow(60, 0);
  const jumpNs = 3e9;
  for (let askedNs = 60e9; askedNs < 62e9; askedNs += 0.25e9) {
    const heardNs = aheadNs + jumpNs + askedNs + 0.1e6;
    clock.add({ askedNs, heardNs, repliedNs: heardNs, answeredNs: askedNs + 0.2e6 });
  }
  expect(clock.stepCount).toBe(1);
  const ourNs = 61.9e9;
  expect(Math.abs(clock.toOursNs(aheadNs + jumpNs + ourNs) - ourNs)).toBeLessThan(0.3e6);
  // A row in which it happened learns of it, whichever end jumped.
  const there = { name: 'render-1', clock, wallOffsetUs: 0 };
  const stepsOf = (...ends: ConstructorParameters<typeof MachineReleaseClock>) =>
    new MachineReleaseClock(...ends).steps.map(({ byUs, machine }) => [Math.round(byUs / 1e6), machine]);
  for (const steps of [stepsOf(there, null, 0), stepsOf(null, there, 0), stepsOf(there, there, 0)])
    expect(steps).toEqual([[3, 'render-1']]);
});

test('nothing is mapped before enough answers came', () => {
  const clock = new MachineClock();
  expect([clock.isKnown, clock.driftPpm, clock.uncertaintyNs(1e9)]).toEqual([false, null, null]);
  expect(() => clock.toOursNs(1)).toThrow('not known yet');
});

test('the release clock of a sender there: its offset at a moment of ours, and how far that may be off', () => {
  const { clock, theirs } = follow(60, 50);
  const sender = { name: 'render-1', clock, wallOffsetUs: 5e6 };
  const release = new MachineReleaseClock(sender, null, 1e6);
  const atNs = 59e9;
  const trueUs = (theirs(atNs) - atNs) / 1000 + 5e6;
  const halfUs = release.uncertaintyUs(atNs) ?? 0;
  expect(Math.abs((release.offsetUs(atNs) ?? 0) - trueUs)).toBeLessThanOrEqual(halfUs);
  expect(release.differenceUs(atNs)).toBeCloseTo((release.offsetUs(atNs) ?? 0) - 1e6, 3);
  expect(release.isShared).toBe(false);
  const both = new MachineReleaseClock(sender, sender, 1e6);
  expect([both.isShared, both.uncertaintyUs(atNs), both.differenceUs(atNs)]).toEqual([true, null, null]);
  const receiver = new MachineReleaseClock(null, sender, 1e6);
  expect([receiver.offsetUs(atNs), receiver.isShared]).toEqual([1e6, false]);
  expect(receiver.uncertaintyUs(atNs)).toBeCloseTo(halfUs, 6);
});
