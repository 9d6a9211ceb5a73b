import { describe, expect, test } from 'vitest';
import { rowSchema } from '../../facts/row';
import type { StreamsRow } from '../../facts/stream-row';
import type { Verdict } from '../../facts/verdict';
import { changedRow, exampleRow } from '../../testing/example-run';
import { repeatMetrics, streamCosts } from './metrics';
import {
  areEnough,
  medianOf,
  onlyRow,
  repeatRow,
  shownRows,
  spoiltRow,
  spreadOf,
  summaryRow,
} from './repeats';

const plan = { repeats: 5, spreadPercent: 5 };

/** Repeats with this CPU load, these lost frames and this verdict. */
function repeats(...list: [cpu: number | null, lost?: number, verdict?: Verdict][]): StreamsRow[] {
  return list.map(([cpu, lost = 0, verdict = lost > 0 ? 'FAIL' : 'PASS'], index) => {
    const changes = { verdict, figures: { framesDropped: lost }, sender: { cpuMeanPercent: cpu } };
    return repeatRow(changedRow(exampleRow(index + 1), changes), index + 1, plan);
  });
}

describe('the spread', () => {
  test.each<[(number | null)[], number | null]>([
    [[40, 42, 41], (100 * 2) / 41],
    [[40, 44], (100 * 4) / 42],
    [[40, 40, 40], 0],
    [[40], null],
    [[], null],
    [[40, null], null],
    [[0, 0], null],
  ])('of %j is %d', (loads, spread) => {
    const value = spreadOf(repeats(...loads.map((load): [number | null] => [load])));
    if (spread === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(spread, 9);
  });
});

describe('repeats', () => {
  test.each<[string, StreamsRow[], boolean]>([
    ['three that agree are enough', repeats([40], [41], [40.5]), true],
    ['three of just the spread that is allowed are enough', repeats([39], [40], [41]), true],
    ['two are not', repeats([40], [40]), false],
    ['three that differ are not', repeats([40], [50], [45]), false],
    ['of different verdicts are not', repeats([40], [40], [40, 7]), false],
    ['all that differ are', repeats([40], [50], [40], [50], [40]), true],
    ['without a CPU figure are not', repeats([40], [null], [40]), false],
    ['that are INVALID do not count', repeats([40], [40], [40, 0, 'INVALID']), false],
    ['that are INVALID do not spread', repeats([40], [90, 0, 'INVALID'], [40], [40]), true],
  ])('%s', (_, rows, enough) => {
    expect(areEnough(rows, plan)).toBe(enough);
  });

  test('one is enough where no more are wanted', () => {
    expect(areEnough(repeats([40]), { ...plan, repeats: 1 })).toBe(true);
  });
});

describe('the median repeat', () => {
  const shown = (...list: Parameters<typeof repeats>): unknown =>
    medianOf(repeats(...list))?.figures[repeatMetrics.repeat];

  test('is the one in the middle by verdict, then lost frames, then CPU', () => {
    expect(shown([40], [44], [42])).toBe(3);
    expect(shown([40, 9], [40, 3], [40, 5])).toBe(3);
    expect(shown([40, 9], [99], [40])).toBe(2);
    expect(shown([40, 1, 'WARN'], [40, 9], [40])).toBe(1);
  });

  test('of two in the middle is the worse', () => {
    expect(shown([40], [40, 9])).toBe(2);
    expect(shown([40], [41], [40, 3], [40, 9])).toBe(3);
  });

  test('is none that is INVALID, unless all are', () => {
    expect(shown([40, 0, 'INVALID'], [50], [40, 0, 'INVALID'])).toBe(2);
    expect(shown([41, 0, 'INVALID'], [40, 0, 'INVALID'], [42, 0, 'INVALID'])).toBe(1);
    expect(medianOf([])).toBeNull();
  });

  test('one whose frames were not counted is the worst', () => {
    const [one, two] = repeats([40, 9], [40]) as [StreamsRow, StreamsRow];
    const uncounted = changedRow(two, { verdict: 'FAIL', figures: { framesDropped: null } });
    expect(medianOf([one, uncounted])).toBe(uncounted);
  });
});

test('the row that stands for all shows the median repeat as it is, and how far they spread', () => {
  const rows = repeats([40], [44], [42]);
  const row = summaryRow(rows[2] as StreamsRow, rows, 7);
  expect(rowSchema.parse(row)).toEqual(row);
  expect(row).toMatchObject({ index: 7, label: 'median of 3: shows repeat 3' });
  expect(row.figures).toMatchObject({ [repeatMetrics.repeat]: null, [repeatMetrics.repeats]: 3 });
  expect(row.figures[repeatMetrics.spread]).toBeCloseTo((100 * 4) / 42, 9);
  expect(row.notMeasured[repeatMetrics.spread]).toBeUndefined();
  expect(row.notMeasured[repeatMetrics.repeat]).toMatch(/stands for all/);
  const { label: _, index: __, figures, notMeasured: ___, ...others } = row;
  expect(rows[2]).toMatchObject(others);
  const { [repeatMetrics.repeat]: ____, [repeatMetrics.repeats]: _____, ...measured } = figures;
  const { [repeatMetrics.spread]: ______, ...shown } = measured;
  expect(rows[2]?.figures).toMatchObject(shown);
  expect(shownRows([...rows, row])).toEqual([row]);
});

test('where all are INVALID, or only one is not, no spread is reported', () => {
  const invalid = repeats([40, 0, 'INVALID'], [41, 0, 'INVALID']);
  const all = summaryRow(invalid[0] as StreamsRow, invalid, 3);
  expect(all.label).toBe('all 2 repeats are INVALID: shows repeat 1');
  expect(all.figures[repeatMetrics.repeats]).toBe(0);
  const some = repeats([40, 0, 'INVALID'], [41]);
  const one = summaryRow(some[1] as StreamsRow, some, 3);
  expect(one.label).toBe('median of 1: shows repeat 2');
  for (const row of [all, one]) {
    expect(row.figures[repeatMetrics.spread]).toBeNull();
    expect(row.notMeasured[repeatMetrics.spread]).toMatch(/two repeats/);
  }
});

test('a repeat reports its number and leaves the rest to the row that stands for all; a single row says that it is one', () => {
  const [repeat] = repeats([40]) as [StreamsRow];
  expect(repeat.label).toBe('repeat 1 of at most 5');
  for (const id of [repeatMetrics.spread, ...streamCosts.map(({ perStream }) => perStream)]) {
    expect(repeat.figures[id]).toBeNull();
    expect(repeat.notMeasured[id]).toBe('in the row that stands for all repeats');
  }
  const only = onlyRow(exampleRow());
  expect(shownRows([only])).toEqual([only]);
  for (const id of Object.values(repeatMetrics)) expect(only.notMeasured[id]).toBe('measured once');
});

test('the label of a row that is measured again leaves its verdict to the column beside it', () => {
  const spoilt = spoiltRow(
    changedRow(exampleRow(), { verdict: 'INVALID', reason: 'no load sample for 2.0 s' }),
  );
  const again = onlyRow(exampleRow(), true);
  expect(shownRows([spoilt, again])).toEqual([again]);
  expect([spoilt, again].map(({ notMeasured }) => notMeasured[repeatMetrics.repeat])).toEqual([
    'the row is INVALID and does not count',
    'measured again because a row was INVALID, not as a repeat',
  ]);
  expect(spoilt).toMatchObject({ verdict: 'INVALID', label: 'replaced by row 2' });
});
