import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PictureStatus } from '../../protocol/records';
import type { Row } from '../../testing/named-rows';
import { type Ended, OutageBench } from '../../testing/outage-bench';
import type { Played } from '../../testing/played-sender';

/** Senders with the frame code and without records, as a watch sees them. */
let bench: OutageBench;

beforeEach(async () => {
  bench = await OutageBench.start();
});
afterEach(() => bench.close());

const rate = (numerator: number, denominator = 1) => ({ numerator, denominator });

async function watched(played: Partial<Played>, seconds = 25): Promise<Ended> {
  await bench.followPlayed({
    ...{ framesPerSecond: 30, declared: rate(30), picture: (index) => ({ frameNumber: 1000 + index }) },
    ...played,
  });
  const run = await bench.watch([]);
  await bench.pass(seconds);
  return run.end();
}

const sum = (rows: readonly Row[], figure: (row: Row) => number | null): number =>
  rows.reduce((total, row) => total + (figure(row) ?? 0), 0);
const captured = (rows: readonly Row[]): number => sum(rows, ({ picturesCaptured }) => picturesCaptured);
const missing = (rows: readonly Row[]): number => sum(rows, ({ framesMissing }) => framesMissing);

describe('a rate that is not the declared one', () => {
  test.each([
    ['60', rate(60)],
    ['none', rate(0, 0)],
    ['1/0', rate(1, 0)],
    ['240000', rate(240_000)],
    ['5', rate(5)],
  ])('30 pictures a second come, %s declared', async (_, declared) => {
    const { verdict, reason, rows } = await watched({ declared });
    expect([verdict, reason]).toEqual(['PASS', expect.stringContaining('no frame lost')]);
    for (const row of rows.slice(0, 2)) {
      expect(Math.abs((row.picturesCaptured ?? 0) - 300)).toBeLessThan(2);
      expect(row).toMatchObject({ framesReceived: row.picturesCaptured, framesMissing: 0, stalls: 0 });
    }
    expect(bench.shown[0]?.framesPerSecond).toBeCloseTo(30, 3);
  });

  test('what an outage cost is estimated by the measured one', async () => {
    const { verdict, reason } = await watched({
      declared: rate(60),
      picture: (index) => (index < 400 ? { frameNumber: index } : null),
    });
    expect([verdict, reason]).toEqual([
      'FAIL',
      expect.stringMatching(/no new picture for 11\.\d s.*about 3[45]\d frames at 30 fps \(an estimate\)/),
    ]);
  });
});

describe('numbers that do not go on with time', () => {
  test('half as fast as declared is a slow sender, and nothing is missing', async () => {
    const { verdict, rows } = await watched({ framesPerSecond: 15 });
    expect(verdict).toBe('PASS');
    expect(Math.abs((rows[0]?.picturesCaptured ?? 0) - 150)).toBeLessThan(2);
    expect(missing(rows)).toBe(0);
  });

  test('every second number is absent, and is missing', async () => {
    const { verdict, rows } = await watched({ picture: (index) => ({ frameNumber: 2 * index }) });
    expect(verdict).toBe('FAIL');
    expect(Math.abs((rows[0]?.framesMissing ?? 0) - 300)).toBeLessThan(2);
    expect(rows[0]?.worstSecondLost).toBeLessThanOrEqual(30);
  });

  test('a frozen picture counts when it comes, and stands still', async () => {
    const { verdict, rows } = await watched({
      picture: (index) => ({ frameNumber: 1000 + Math.min(index, 5 * 30) }),
    });
    expect(Math.abs(captured(rows) - 30 * sum(rows, (row) => row.measuredSeconds))).toBeLessThan(2);
    expect(verdict).toBe('FAIL');
    expect(rows[1]).toMatchObject({ framesReceived: 0, framesMissing: 0, stalls: 1 });
    expect(rows[1]?.framesDuplicated).toBe(rows[1]?.picturesCaptured);
  });

  test('pictures in pairs that are swapped are all received', async () => {
    const { verdict, rows } = await watched({ picture: (index) => ({ frameNumber: 1000 + (index ^ 1) }) });
    expect([verdict, missing(rows)]).toEqual(['PASS', 0]);
    expect(Math.abs(captured(rows) - 30 * sum(rows, (row) => row.measuredSeconds))).toBeLessThan(2);
  });

  test('numbers wrap', async () => {
    const { verdict, rows } = await watched({
      picture: (index) => ({ frameNumber: (2 ** 32 - 400 + index) % 2 ** 32 }),
    });
    expect([verdict, missing(rows)]).toEqual(['PASS', 0]);
  });

  test('a pause in which no number is left out is a stall, and costs none', async () => {
    const { rows } = await watched({
      picture: (index) =>
        index > 150 && index <= 240 ? null : { frameNumber: index > 240 ? index - 90 : index },
    });
    expect(missing(rows)).toBe(0);
    expect(sum(rows, ({ stalls }) => stalls)).toBe(1);
  });
});

describe('a code that vanishes', () => {
  const blank = { frameNumber: 0, status: PictureStatus.Undecodable };

  test('for good: what came is spread over the time in which it came', async () => {
    const { verdict, rows } = await watched({
      picture: (index) => (index < 8 * 30 ? { frameNumber: index } : blank),
    });
    expect(verdict).toBe('FAIL');
    for (const row of rows) {
      const unread = (row.framesUndecodable ?? 0) + (row.framesUndecodableUnmatched ?? 0);
      expect(row.reason).toContain(`${unread} of ${row.picturesCaptured} frames were undecodable `);
      expect(row.worstSecondLost).toBeLessThanOrEqual(30);
      expect(unread + (row.framesReceived ?? 0)).toBe(row.picturesCaptured);
      expect(Math.abs((row.picturesCaptured ?? 0) - 30 * row.measuredSeconds)).toBeLessThan(2);
    }
    expect(rows[1]?.reason).toMatch(/the worst time was from \S+ to \S+ UTC/);
  });

  test('over the end of a row, and comes back: each picture stands for one number', async () => {
    const { rows } = await watched({
      picture: (index) => (index >= 8 * 30 && index < 16 * 30 ? blank : { frameNumber: index }),
    });
    const unread = sum(rows, (row) => (row.framesUndecodable ?? 0) + (row.framesUndecodableUnmatched ?? 0));
    expect([unread, missing(rows)]).toEqual([240, 0]);
    expect(Math.abs(captured(rows) - 30 * sum(rows, (row) => row.measuredSeconds))).toBeLessThan(2);
  });
});

describe('a new start under the same source id', () => {
  const kinds = (): string[] => bench.events.map(({ kind }) => kind);
  const restarts = (): number => kinds().filter((kind) => kind === 'sender-restarted').length;

  test('that goes back by five seconds is found by time, and loses nothing', async () => {
    const { verdict, reason, rows } = await watched({
      picture: (index) => ({ frameNumber: index < 270 ? 1000 + index : 1000 + index - 150 }),
    });
    expect([verdict, reason]).toEqual(['PASS', expect.stringContaining('no frame lost')]);
    expect(restarts()).toBe(1);
    expect(sum(rows, ({ framesReordered }) => framesReordered)).toBe(0);
    expect(kinds()).not.toContain('frames-lost');
    expect(captured(rows)).toBeGreaterThan(22 * 30);
  });

  test('that goes ahead by an hour at once as well', async () => {
    const { verdict, rows } = await watched({
      picture: (index) => ({ frameNumber: index < 270 ? index : index + 100_000 }),
    });
    expect([verdict, missing(rows), restarts()]).toEqual(['PASS', 0, 1]);
  });

  test('a recording of two seconds that is looped begins again and again', async () => {
    const { verdict, rows } = await watched({ picture: (index) => ({ frameNumber: 1000 + (index % 60) }) });
    expect(restarts()).toBeGreaterThan(8);
    expect([missing(rows), sum(rows, ({ framesReordered }) => framesReordered)]).toEqual([0, 0]);
    expect(verdict).not.toBe('FAIL');
  });
});

describe('a mixer that cuts between two of our sources', () => {
  test.each([2, 0.3, 30])('each shown for %d s, and drops nothing', async (seconds) => {
    const shown = (index: number): number => Math.floor(index / 30 / seconds) % 2;
    const { verdict, reason, rows } = await watched(
      {
        picture: (index) => ({
          frameNumber: index + 500 * shown(index),
          sourceId: 7 + shown(index),
          senderId: 0,
        }),
      },
      70,
    );
    expect(reason).not.toMatch(/no picture|stood still|missing/);
    expect(['WARN', 'PASS']).toContain(verdict);
    expect([missing(rows), sum(rows, ({ stalls }) => stalls)]).toEqual([0, 0]);
    expect(rows.flatMap(({ perStream }) => perStream.flatMap(({ outages = [] }) => outages))).toEqual([]);
    if (seconds < 20) expect(reason).toMatch(/another of our sources was shown for \d+\.\d s, \d+ pictures/);
    for (const { kind, text, details } of bench.events)
      if (kind === 'sender-restarted') {
        expect(text).toMatch(/another of our sources took its place, 33 ms after/);
        expect([
          [7, 8],
          [8, 7],
        ]).toContainEqual(details?.sourceIds);
      }
  });

  test('picture for picture', async () => {
    const { verdict, rows } = await watched({
      picture: (index) => ({ frameNumber: index, sourceId: 7 + (index % 2), senderId: 0 }),
    });
    expect([verdict, missing(rows)]).toEqual(['WARN', 0]);
    expect(rows[0]?.perStream[0]).toMatchObject({ picturesCaptured: 150, picturesWrongSource: 150 });
  });

  test('and stands still in between has stood still', async () => {
    const { verdict, reason } = await watched({
      picture: (index) => {
        const second = Math.floor(index / 30);
        if (second >= 15 && second < 17) return null;
        return { frameNumber: index, sourceId: 7 + (Math.floor(second / 2) % 2), senderId: 0 };
      },
    });
    expect([verdict, reason]).toEqual([
      'FAIL',
      expect.stringMatching(/stood still once, longest gap 20\d\d ms/),
    ]);
  });
});

test('a new source id with every picture: no row without a slot passes', async () => {
  const { verdict, rows } = await watched({
    picture: (index) => ({ frameNumber: index, sourceId: 1 + ((index * 7919) % 65_000) }),
  });
  expect(rows.length).toBeGreaterThan(10);
  for (const { verdict, reason, framesReceived } of rows)
    expect([verdict, reason]).toEqual(
      framesReceived === 0
        ? ['INVALID', 'no frame of the stream was due in the row']
        : ['WARN', expect.stringMatching(/^another of our sources was shown for \d/)],
    );
  expect(verdict).toBe('INVALID');
});

test('a new source id every 1.3 s, without six frames each: all that were lost are said', async () => {
  const isLost = (index: number): boolean => index % 39 >= 3 && index % 39 < 9;
  const { verdict, rows } = await watched({
    picture: (index) =>
      index > 195 && isLost(index) ? null : { frameNumber: index, sourceId: 2000 + Math.floor(index / 39) },
  });
  expect(verdict).toBe('FAIL');
  expect(missing(rows) % 6).toBe(0);
  expect(missing(rows)).toBeGreaterThan(12 * 6);
});

test('a new source id every 1.3 s: no row without a slot passes', async () => {
  const { verdict, rows } = await watched({
    picture: (index) => ({ frameNumber: index, sourceId: 2000 + Math.floor(index / 39) }),
  });
  for (const row of rows) if ((row.framesReceived ?? 0) === 0) expect(row.verdict).toBe('INVALID');
  expect(verdict).not.toBe('FAIL');
});
