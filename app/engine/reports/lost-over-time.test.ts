import { expect, test } from 'vitest';
import type { Loss, LossStage } from '../../facts/loss';
import type { Row } from '../../facts/row';
import { exampleRow } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { lostOverTime } from './lost-over-time';

const startMs = Date.parse('2026-11-20T10:00:00.000Z');
const iso = (seconds: number): string => new Date(startMs + 1000 * seconds).toISOString();
/** Twice a second, each with what was counted a second before. */
const samplesTo = (seconds: number, lostPerSecond: (atSeconds: number) => number | null = () => 0) =>
  Array.from({ length: 2 * seconds }, (_, index) => {
    const atSeconds = (index + 1) / 2;
    return loadSample({ wallMs: startMs + 1000 * atSeconds, lostPerSecond: lostPerSecond(atSeconds) });
  });

function lossAt(stage: LossStage, seconds: number, frames: number, slots = frames): Loss {
  const firstFrame = Math.round(60 * seconds);
  return {
    ...{ stage, firstFrame, lastFrame: firstFrame + slots - 1, frames },
    ...{ startedAt: iso(seconds), endedAt: iso(seconds + slots / 60), streamsTogether: 1 },
  };
}

function rowOf(losses: Loss[], { dropped, missed = 0, outages = [] }: Figures): Row {
  const row = exampleRow(1);
  const none = Object.fromEntries(
    Object.entries(row.subjects[0]?.figures ?? {}).map(([id, value]) => [
      id,
      id.startsWith('frames') ? 0 : value,
    ]),
  );
  return {
    ...{ ...row, from: iso(0), to: iso(10) },
    subjects: row.subjects.map((stream) => ({
      ...{ ...stream, losses, outages },
      figures: { ...none, framesDropped: dropped, framesMissing: null, framesSenderMissed: missed },
    })),
  };
}

interface Figures {
  dropped: number | null;
  missed?: number;
  outages?: Row['subjects'][number]['outages'];
}

/** Where frames were lost, by the times of the samples. */
const seen = (values: (number | null)[]) =>
  values.flatMap((value, index) => (value === 0 ? [] : [[(index + 1) / 2, value]]));

test('a loss is where it was due, and what the sender did not send is one', () => {
  const row = rowOf([lossAt('transport', 3.2, 4), lossAt('sender', 6.7, 2)], { dropped: 4, missed: 2 });
  // Counted a second late: the sample of 5.0 s has the loss of 3.2 s.
  const values = lostOverTime(
    samplesTo(10, (at) => (at === 4.5 || at === 5 ? 4 : 0)),
    [row],
  );
  expect(seen(values)).toEqual([
    [3.5, 4],
    [4, 4],
    [7, 2],
    [7.5, 2],
  ]);
});

test('a loss of several seconds is spread over them', () => {
  const values = lostOverTime(samplesTo(10), [rowOf([lossAt('transport', 2.001, 120)], { dropped: 120 })]);
  expect(values.slice(3, 10)).toEqual([0, 30, 60, 60, 60, 30, 0]);
});

test('outside of rows, and where a row does not list all, the sample that was taken a second later says it', () => {
  const counted = (at: number): number | null => (at === 4.5 ? 7 : at === 8 ? null : 0);
  const expected = [
    [3.5, 7],
    [7, null],
    [9.5, null],
    [10, null],
  ];
  expect(seen(lostOverTime(samplesTo(10, counted), []))).toEqual(expected);
  const row = rowOf([lossAt('transport', 3.2, 4)], { dropped: 5 });
  expect(seen(lostOverTime(samplesTo(10, counted), [row]))).toEqual(expected);
});

test('an outage has no count', () => {
  const outages = [{ startedAt: iso(4.1), endedAt: iso(4.4), seconds: 0.3, framesEstimated: 18 }];
  const values = lostOverTime(samplesTo(10), [rowOf([], { dropped: 0, outages })]);
  expect(seen(values)).toEqual([
    [4.5, null],
    [5, null],
  ]);
});

test('the first second of a row, and that in which one row follows another, have what the rows list', () => {
  const between = (from: number, to: number, losses: Loss[]): Row => ({
    ...rowOf(losses, { dropped: 0, missed: losses.length }),
    ...{ from: iso(from), to: iso(to) },
  });
  const rows = [
    between(2.2, 6.2, [lossAt('sender', 2.3, 1), lossAt('sender', 6.1, 1)]),
    between(6.2, 10, [lossAt('sender', 6.3, 1)]),
  ];
  const values = lostOverTime(
    samplesTo(10, () => null),
    rows,
  );
  expect(values.slice(0, 4)).toEqual([null, null, null, null]);
  expect(values.slice(4, 7)).toEqual([1, 1, 0]);
  expect(values.slice(11, 15)).toEqual([0, 2, 2, 0]);
  // What was counted beside it, before the row, is not left out.
  const counted = lostOverTime(
    samplesTo(10, (at) => (at === 3.5 ? 4 : 0)),
    rows,
  );
  expect(counted.slice(4, 6)).toEqual([4, 1]);
});

test('of a run that only sends, what was not sent is known', () => {
  const row = rowOf([lossAt('sender', 6.7, 2)], { dropped: null, missed: 2 });
  const values = lostOverTime(
    samplesTo(10, () => null),
    [row],
  );
  expect(seen(values)).toEqual([
    // This second began before the row.
    [0.5, null],
    [7, 2],
    [7.5, 2],
  ]);
});

test('a loss between rows is where it was due, not sent or lost', () => {
  const between = [lossAt('sender', 11.2, 3), lossAt('transport', 12.2, 2)];
  const row = rowOf([], { dropped: 0 });
  // The samples count what never arrived, a second later.
  const samples = samplesTo(16, (at) => (at === 13.5 || at === 14 ? 2 : 0));
  const lost = seen(lostOverTime(samples, [row], between)).filter(([, frames]) => frames !== null);
  expect(lost).toEqual([
    [11.5, 3],
    [12, 3],
    [12.5, 2],
    [13, 2],
  ]);
});
