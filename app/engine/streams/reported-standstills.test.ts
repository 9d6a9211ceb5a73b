import { expect, test } from 'vitest';
import { reasonOf } from '../../facts/reason-words';
import { defaultThresholds } from '../../protocol/thresholds';
import { type ProcessStandstill, standstillGuards } from '../load/standstills';
import { ReportedStandstills } from './reported-standstills';

/** Sums as [heard at, s; stopped, ms; starved, ms]. */
type Heard = [heardSeconds: number, stoppedMs: number, starvedMs: number];

const who = { sender: 'Cam 1' };

function heard(sums: readonly Heard[]): ProcessStandstill[] {
  const standstills = new ReportedStandstills();
  return sums.flatMap(([seconds, stoppedMs, starvedMs]) =>
    standstills.hear({ stoppedMs, starvedMs }, seconds * 1e9).map((piece) => ({ ...piece, who })),
  );
}

const pieces = (sums: readonly Heard[]) =>
  heard(sums).map(({ kind, fromNs, toNs }) => [kind, fromNs / 1e9, toNs / 1e9]);

test.each<[string, Heard[], [kind: string, from: number, to: number][]]>([
  ['the first sums', [[10, 5000, 700]], []],
  [
    'sums that stay',
    [
      [10, 5000, 700],
      [10.25, 5000, 700],
    ],
    [],
  ],
  [
    'what they rose by',
    [
      [10, 5000, 700],
      [12, 6500, 800],
    ],
    [
      ['stopped', 10.5, 12],
      ['starved', 11.9, 12],
    ],
  ],
  [
    'a rise by all of the time, whose message came 0.5 s quicker than the one before',
    [
      [10, 0, 0],
      [10.25, 750, 0],
    ],
    [['stopped', 9.5, 10.25]],
  ],
  [
    'a rise by more than the time that passed',
    [
      [10, 0, 0],
      [10.25, 60_000, 9_007_199_254_740_991],
    ],
    [
      ['stopped', 9.5, 10.25],
      ['starved', 9.5, 10.25],
    ],
  ],
  [
    'of a process that was started again, also what is higher than before',
    [
      [10, 5000, 0],
      [10.25, 0, 200],
      [10.5, 100, 200],
    ],
    [['stopped', 10.4, 10.5]],
  ],
])('%s', (_, sums, expected) => {
  expect(pieces(sums)).toEqual(expected);
});

test('sums that fall and rise again add up to no more than the time that passed', () => {
  const sums = Array.from({ length: 41 }, (_, index): Heard => [10 + index / 4, index % 2 ? 60_000 : 0, 0]);
  const [guard] = standstillGuards(heard(sums), defaultThresholds);
  // From 0.5 s before the first of them to the last rise; they say 20 times a minute.
  expect(guard).toMatchObject({
    facts: [reasonOf('process-stopped', { ...who, seconds: 10.25, limitSeconds: 0.25 })],
  });
});
