import { describe, expect, test } from 'vitest';
import { lostFramesOf } from '../../facts/lost-frames';
import { wordsOf } from '../../facts/reason-words';
import { defaultThresholds } from '../../protocol/thresholds';
import { changedRow, exampleRow } from '../../testing/example-run';
import { SimulatedClock } from '../../testing/simulated-clock';
import type { RowMeter } from '../streams/rows/row-meter';
import type { StreamsContext } from './experiment';
import { isWhole, measureRow, openAheadNs } from './held-row';

const clean = changedRow(exampleRow(1), {
  verdict: 'PASS',
  figures: {
    ...{ framesSenderMissed: 0, framesDropped: 0, framesUndecodable: 0, framesUndecodableUnmatched: 0 },
    ...{ framesTorn: 0, framesDamaged: 0 },
  },
});

function rowWith(figures: Record<string, number | null>) {
  return changedRow(clean, { figures });
}

test('a frame that never came is lost, and one that came torn, damaged or without a code', () => {
  expect(lostFramesOf(clean)).toBe(0);
  const lost = { framesDropped: 1, framesUndecodable: 2, framesUndecodableUnmatched: 3 };
  expect(lostFramesOf(rowWith({ ...lost, framesTorn: 4, framesDamaged: 5 }))).toBe(15);
  expect(lostFramesOf(rowWith({ framesTorn: 4, framesDropped: null, framesMissing: 2 }))).toBe(6);
  expect(lostFramesOf(rowWith({ framesDropped: null, framesMissing: null }))).toBeNull();
  expect(lostFramesOf(rowWith({ framesTorn: null }))).toBeNull();
});

test('a row with a torn or damaged frame did not carry all of its load', () => {
  expect(isWhole(clean)).toBe(true);
  expect(isWhole(rowWith({ framesTorn: 1 }))).toBe(false);
  expect(isWhole(rowWith({ framesDamaged: 1 }))).toBe(false);
});

describe('a row that is held for 10 s after a warm-up of 1 s', () => {
  /** Of one stream whose pictures begin so many seconds after it was added. */
  function rowOf({
    firstPictureSeconds,
    stopSeconds,
    warmSeconds = 1,
  }: {
    firstPictureSeconds: number;
    stopSeconds?: number;
    warmSeconds?: number;
  }) {
    const clock = new SimulatedClock();
    const beganNs = clock.monotonicNs();
    const secondsOf = (ns: number): number => (ns - beganNs) / 1e9;
    const abort = new AbortController();
    if (stopSeconds !== undefined) clock.after(stopSeconds * 1000, () => abort.abort());
    const firstNs = beganNs + firstPictureSeconds * 1e9;
    const stream = {
      addedNs: beganNs,
      get firstCaptureNs() {
        return clock.monotonicNs() < firstNs ? 0 : firstNs;
      },
      isReady: (nowNs: number) => nowNs >= firstNs + warmSeconds * 1e9,
    };
    const times: Record<string, number> = {};
    const meter = {
      close: async (toNs: number) => {
        Object.assign(times, { to: secondsOf(toNs), closed: secondsOf(clock.monotonicNs()) });
        return { ...clean, reason: [] };
      },
    } as unknown as RowMeter;
    const context = {
      ...{ clock, signal: abort.signal, thresholds: defaultThresholds },
      streams: {
        set: { streams: [stream], recovering: false, countedToNs: (nowNs: number) => nowNs },
        openRow: (_: number, __: unknown, fromNs: number, toNs: number) => {
          Object.assign(times, { from: secondsOf(fromNs), planned: secondsOf(toNs) });
          return meter;
        },
      },
    } as unknown as StreamsContext;
    const measured = clock.until(measureRow(context, 1, { holdSeconds: 10, warmUpSeconds: 1 }));
    return { measured, times };
  }
  const ahead = openAheadNs / 1e9;

  test('begins when its stream is over its warm-up, and ends when its time is', async () => {
    const { measured, times } = rowOf({ firstPictureSeconds: 2 });
    expect(await measured).toMatchObject({ connected: true, row: { reason: [] } });
    expect(times).toEqual({ from: 3 + ahead, planned: 13 + ahead, to: 13 + ahead, closed: 13 + ahead });
  });

  test('is a short one where no picture comes in time', async () => {
    const { measured, times } = rowOf({ firstPictureSeconds: 3600 });
    expect(await measured).toMatchObject({ connected: false, row: { reason: [] } });
    const from = defaultThresholds.connectTimeoutSeconds + ahead;
    expect(times).toEqual({ from, planned: from + 1, to: from + 1, closed: from + 1 });
  });

  test('waits no longer for a stream that is never ready, whatever its machine says of the time', async () => {
    const { measured, times } = rowOf({ firstPictureSeconds: 2, warmSeconds: Number.POSITIVE_INFINITY });
    expect(await measured).toMatchObject({ connected: false });
    expect(times.from).toBeCloseTo(2 + 1 + defaultThresholds.connectTimeoutSeconds + 10 + ahead, 0);
  });

  test('that is stopped is closed where it stands, and says so', async () => {
    const { measured, times } = rowOf({ firstPictureSeconds: 2, stopSeconds: 7 + ahead });
    expect(wordsOf((await measured)?.row.reason ?? [])).toBe('stopped after 4.0 of 10 s');
    expect(times.to).toBe(7 + ahead);
  });

  test('that is stopped as soon as it began, or before, says nothing', async () => {
    expect(await rowOf({ firstPictureSeconds: 2, stopSeconds: 3.39 + ahead }).measured).toBeNull();
    expect(await rowOf({ firstPictureSeconds: 2, stopSeconds: 2.5 }).measured).toBeNull();
  });
});
