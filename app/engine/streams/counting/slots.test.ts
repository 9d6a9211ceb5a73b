import { expect, test } from 'vitest';
import { frameNumbers } from '../../../facts/figure';
import { sourceRecords } from '../../../testing/columns';
import {
  farthestJump,
  firstSlotFrom,
  type Schedule,
  slotNs,
  slotPeriodNs,
  unwrapFrameNumber,
} from './schedule';
import { causeMark, Mark, SlotFlags, SourceMark } from './slot-flags';
import { SlotTally } from './slot-tally';
import { SourceLedger } from './source-ledger';

const ntsc = { numerator: 60000, denominator: 1001 };

test('a frame number stands for the nearest slot, over any number of wraps', () => {
  expect(unwrapFrameNumber(5, 3)).toBe(5);
  expect(unwrapFrameNumber(0, 2 ** 32 - 1)).toBe(2 ** 32);
  expect(unwrapFrameNumber(2 ** 32 - 1, 2 ** 32 + 2)).toBe(2 ** 32 - 1);
  expect(unwrapFrameNumber(7, 5 * 2 ** 32 + 6)).toBe(5 * 2 ** 32 + 7);
  expect(unwrapFrameNumber(2 ** 31 - 1, 0)).toBe(2 ** 31 - 1);
  for (const slot of [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 3]) {
    for (const step of [-1000, -1, 0, 1, 1000]) {
      if (slot + step >= 0) expect(unwrapFrameNumber((slot + step) % 2 ** 32, slot)).toBe(slot + step);
    }
  }
});

test('slots of a fractional rate fall where the fraction says, without drift', () => {
  const schedule: Schedule = { startNs: 1e9, rate: ntsc };
  expect(slotPeriodNs(ntsc)).toBeCloseTo(16_683_333.333, 2);
  expect(slotNs(schedule, 60000 * 24)).toBe(1e9 + 1001 * 24 * 1e9);
  for (const slot of [0, 1, 7, 59_999, 5_184_000]) {
    expect(firstSlotFrom(schedule, slotNs(schedule, slot))).toBe(slot);
    expect(firstSlotFrom(schedule, slotNs(schedule, slot) + 1000)).toBe(slot + 1);
  }
  expect(firstSlotFrom(schedule, 0)).toBe(0);
});

test('marks are kept by slot, grow with them, and are reported once', () => {
  const flags = new SlotFlags(1000);
  expect(flags.mark(1005, Mark.Seen)).toBe(true);
  expect(flags.mark(1005, Mark.Seen)).toBe(false);
  expect(flags.mark(1005, Mark.Submitted)).toBe(true);
  expect(flags.mark(999, Mark.Seen)).toBe(false);
  expect(flags.mark(500_000, Mark.Missed)).toBe(true);
  expect(flags.get(1005)).toBe(Mark.Seen | Mark.Submitted);
  expect([flags.get(999), flags.get(1004), flags.get(10_000_000)]).toEqual([0, 0, 0]);
  const visited: number[] = [];
  flags.forEach(0, 1e9, 0, Mark.Seen, (slot) => visited.push(slot));
  expect(visited.length).toBe(500_000 - 1000);
  const missed: number[] = [];
  flags.forEach(0, 1e9, Mark.Missed, Mark.Seen, (slot) => missed.push(slot));
  expect(missed).toEqual([500_000]);
  for (const beyond of [1000 + 2 ** 30, 2 ** 40, Number.POSITIVE_INFINITY])
    expect([flags.mark(beyond, Mark.Seen), flags.get(beyond)]).toEqual([false, 0]);
  const unmarked = [900, 1000, 1005, 500_000, 10_000_000].map((slot) => flags.firstUnmarked(slot));
  expect(unmarked).toEqual([900, 1000, 1006, 500_001, 10_000_000]);
});

test('a source has one record for each slot; another one breaks the rule', () => {
  const source = new SourceLedger({ startNs: 0, rate: ntsc });
  source.add(sourceRecords([0, 1, 2], [1]));
  expect(source.marksOf(1)).toBe(SourceMark.Scheduled | SourceMark.LateSource | SourceMark.Command);
  expect(source.anomalies).toBe(0);
  source.add(sourceRecords([2]));
  expect(source.anomalies).toBe(1);
});

test('slots of a remote source are taken at any height, nonsense is not', () => {
  const source = new SourceLedger({ startNs: 0, rate: ntsc }, 3_000_000_000);
  source.assume(3_000_000_001);
  source.assume(3_000_000_000);
  source.assume(3_000_000_001 + farthestJump + 1);
  expect([3_000_000_000, 3_000_000_001].map((slot) => source.marksOf(slot))).toEqual([
    SourceMark.Scheduled,
    SourceMark.Scheduled,
  ]);
  expect(source.marksOf(3_000_000_002 + farthestJump)).toBe(0);
});

function tallyOf(lost: number[], windowSlots: number, total = 400): SlotTally {
  const tally = new SlotTally(windowSlots, windowSlots / 2);
  for (let slot = 0; slot < total; slot++) {
    const seen = lost.includes(slot) ? 0 : Mark.Seen;
    tally.visit(slot, Mark.Submitted | seen, SourceMark.Scheduled, 0);
  }
  return tally;
}

test.each([
  ['none', [], 0],
  ['one', [5], 1],
  ['two, one window apart', [5, 125], 1],
  ['two in one window', [5, 124], 2],
  ['a crowd after a loner', [0, 200, 201, 250, 319, 320], 4],
])('the worst window of lost frames slides: %s', (_, lost, worst) => {
  expect(tallyOf(lost, 120).worstWindowLost).toBe(worst);
});

test('the worst window counts undecodable pictures too, wherever they came', () => {
  const tally = new SlotTally(120, 60);
  tally.visit(0, Mark.Submitted | Mark.Matched, SourceMark.Scheduled, 0);
  tally.visit(1, Mark.Submitted | Mark.Seen, SourceMark.Scheduled, 2);
  tally.visit(200, Mark.Submitted | Mark.Seen | Mark.Matched, SourceMark.Scheduled, 0);
  expect(tally.worstWindowLost).toBe(3);
  expect([tally.matched, tally.unmatched, tally.dropped]).toEqual([1, 3, 0]);
});

test('a list of lost numbers ends at a thousand, the count does not, and a copy goes its own way', () => {
  const lost = Array.from({ length: 1500 }, (_, index) => index);
  const tally = tallyOf(lost, 120, 1600);
  expect(tally.dropped).toBe(1500);
  expect(frameNumbers(tally.droppedFrames.ranges).length).toBe(1000);
  expect(tally.worstWindowLost).toBe(120);
  const copy = tally.copy();
  copy.visit(1600, Mark.Missed | causeMark(1), SourceMark.Scheduled, 0);
  expect([copy.missed, copy.missCauses.SendBlocked]).toEqual([1, 1]);
  expect([tally.missed, tally.missCauses.SendBlocked, frameNumbers(tally.missedFrames.ranges)]).toEqual([
    0,
    0,
    [],
  ]);
});
