import { expect, test } from 'vitest';
import type { Standstill } from '../protocol/standstill';
import { SimulatedClock } from '../testing/simulated-clock';
import { logStandstills } from './standstill-log';

function logged(...looks: (() => Standstill[])[]) {
  const clock = new SimulatedClock();
  const lines: string[] = [];
  const take = (): Standstill[] => looks.shift()?.() ?? [];
  const stop = logStandstills('registry', { take }, clock, (line) => lines.push(line));
  return { clock, lines, stop };
}

test('what a registry stood still for too long is a line, each 10 s at most; less is none', async () => {
  const of = (kind: Standstill['kind'], ms: number, atSecond = 1): Standstill => ({
    kind,
    fromNs: 1e9 * atSecond,
    toNs: 1e9 * atSecond + 1e6 * ms,
  });
  const { clock, lines, stop } = logged(
    () => [of('stopped', 150), of('stopped', 100, 2)],
    () => [of('stopped', 1200)],
    () => [of('starved', 90), of('starved', 200, 2)],
  );
  await clock.pass(10_000);
  expect(lines).toEqual([]);
  await clock.pass(20_000);
  expect(lines).toEqual([
    'our registry process was stopped for 1.2 s (limit 0.25 s)',
    'our registry process waited for a processor for 0.29 s (limit 0.25 s)',
  ]);
  stop();
  expect(clock.waiting).toBe(0);
});

test('a watch that fails says so once', async () => {
  const { clock, lines } = logged(() => {
    throw new Error('The thread ended');
  });
  await clock.pass(60_000);
  expect(lines).toEqual([expect.stringContaining('The thread ended')]);
});
