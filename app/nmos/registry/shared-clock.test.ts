import { expect, test } from 'vitest';
import { aheadOf, SimulatedClock } from '../../testing/simulated-clock';
import { SharedClock } from './shared-clock';

const second = 1_000_000_000n;

test('it goes on at the pace of the monotonic clock, whatever the wall clock does', async () => {
  const clock = new SimulatedClock();
  const shared = new SharedClock(clock);
  const began = shared.now();
  clock.stepWall(-3_600_000);
  await clock.pass(5000);
  expect(shared.now() - began).toBe(5n * second);
  expect(shared.aheadNs()).toBe(3600n * second);
});

test('each date is later than those before it, its peer’s among them', () => {
  const shared = new SharedClock(new SimulatedClock());
  const dates = [shared.next(), shared.next(), shared.next()];
  expect(dates).toEqual([dates[0], (dates[0] ?? 0n) + 1n, (dates[0] ?? 0n) + 2n]);
  const peer = shared.now() + 5n;
  expect(shared.reach(peer)).toBe(5n);
  expect(shared.next()).toBeGreaterThan(peer);
});

test('it goes forward to a peer that is ahead, and not back to one that is behind', () => {
  const clock = new SimulatedClock();
  const [one, other] = [new SharedClock(clock), new SharedClock(aheadOf(clock, () => -1000))];
  expect(one.reach(other.now())).toBe(0n);
  expect(other.reach(one.now())).toBe(second);
  expect(other.now()).toBe(one.now());
});

test('after a restart it is where it was, or later than the latest date that was written', async () => {
  const clock = new SimulatedClock();
  const first = new SharedClock(clock);
  first.reach(first.now() + 60n * second);
  const [aheadNs, latest] = [first.aheadNs(), first.next()];
  await clock.pass(10_000);
  const again = new SharedClock(clock);
  again.resume(aheadNs, latest);
  expect(again.now()).toBe(first.now());
  clock.stepWall(-600_000);
  const behind = new SharedClock(clock);
  behind.resume(aheadNs, latest);
  expect(behind.now()).toBe(latest + 1n);
});

test('what is more than two hours ahead is impossible', () => {
  const shared = new SharedClock(new SimulatedClock());
  expect([7200n, 7202n].map((seconds) => shared.isImpossible(shared.now() + seconds * second))).toEqual([
    false,
    true,
  ]);
});
