import { expect, test } from 'vitest';
import type { StreamsContext } from '../../engine/experiment/experiment';
import { LatestProgress } from '../../engine/runs/latest-progress';
import type { StreamsRow } from '../../facts/stream-row';
import type { Progress } from '../../protocol/console';
import { defaultThresholds } from '../../protocol/thresholds';
import { changedRow, exampleRow } from '../../testing/example-run';
import { SimulatedClock } from '../../testing/simulated-clock';
import { streamLoadParameters } from './declaration';
import { repeatMetrics } from './metrics';
import { RampRun } from './ramp-run';
import { shownRows } from './repeats';

/** Streams that are there at once, and rows as `rowOf` makes them. */
function fakeContext(
  rowOf: (
    index: number,
    streams: number,
    set: { recovering: boolean; streams: unknown[] },
    clock: SimulatedClock,
  ) => StreamsRow,
) {
  const clock = new SimulatedClock();
  const set = {
    streams: [] as unknown[],
    recovering: false,
    countedToNs: (nowNs: number) => nowNs,
    openSource: () => Promise.resolve({}),
    addStream() {
      const nowNs = clock.monotonicNs();
      set.streams.push({ id: 1, addedNs: nowNs, firstCaptureNs: nowNs, isReady: () => true });
      return Promise.resolve();
    },
    removeStream() {
      set.streams.pop();
      return Promise.resolve();
    },
  };
  const openedWhileRecovering: boolean[] = [];
  const latest = new LatestProgress(clock);
  /** Why the remaining time that is shown rose, each time. */
  const rises: (string | undefined)[] = [];
  const phases: string[] = [];
  const progress = (reported: Progress): void => {
    const before = latest.now?.remainingSeconds ?? Number.POSITIVE_INFINITY;
    latest.report(reported);
    phases.push(`${reported.step} ${reported.phase}`);
    if (reported.remainingSeconds > before + 1e-6) rises.push(reported.note);
  };
  const context = {
    clock,
    signal: new AbortController().signal,
    thresholds: defaultThresholds,
    progress,
    streams: {
      set,
      openRow(index: number, streams: unknown[]) {
        openedWhileRecovering.push(set.recovering);
        return {
          firstSlot: () => null,
          lostFrames: () => new Map(),
          newestSamples: () => [],
          close: () => Promise.resolve(rowOf(index, streams.length, set, clock)),
        };
      },
    },
  } as unknown as StreamsContext;
  return { context, clock, openedWhileRecovering, rises, phases, latest };
}

const row = (index: number, streams: number): StreamsRow => ({
  ...changedRow(exampleRow(index), { streams }),
  notMeasured: {},
});

async function rowsOf(
  { context, clock }: Pick<ReturnType<typeof fakeContext>, 'context' | 'clock'>,
  parameters: object,
): Promise<StreamsRow[]> {
  const short = { holdSeconds: 1.5, warmUpSeconds: 0.2, maxStreams: 1 };
  const rows: StreamsRow[] = [];
  const ramp = new RampRun(streamLoadParameters.parse({ ...short, ...parameters }), context);
  const measure = async (): Promise<void> => {
    for await (const measured of ramp.rows()) rows.push(measured);
  };
  await clock.until(measure());
  return rows;
}

test('a process that dies in a repeat is back before the next repeat opens', async () => {
  const fake = fakeContext((index, streams, set, clock) => {
    // In the first repeat, and it takes longer than the row.
    if (index === 1) {
      set.recovering = true;
      clock.after(900, () => {
        set.recovering = false;
        const readyNs = clock.monotonicNs() + 200e6;
        Object.assign(set.streams[0] ?? {}, { isReady: (nowNs: number) => nowNs >= readyNs });
      });
    }
    return row(index, streams);
  });
  const rows = await rowsOf(fake, { repeats: 2, stopOn: [] });
  expect(rows.map(({ figures }) => figures[repeatMetrics.repeat])).toEqual([null, 1, 2, null]);
  expect(fake.openedWhileRecovering).toEqual([false, false, false]);
  expect(fake.rises).toEqual(['streams were started again']);
});

test('what is being done is said; without a stream no frame is waited for', async () => {
  const fake = fakeContext(row);
  await rowsOf(fake, {});
  expect(fake.phases).toEqual(['0 baseline', '1 connecting', '1 measuring', '1 draining']);
});

/** INVALID are the rows with these indices. */
async function verdictsOf(invalid: number[], parameters = {}): Promise<string[]> {
  const fake = fakeContext((index, streams) => {
    const verdict = invalid.includes(index) ? 'INVALID' : 'PASS';
    return { ...row(index, streams), verdict };
  });
  const rows = await rowsOf(fake, parameters);
  expect(rows.map((measured) => measured.index)).toEqual(rows.map((_, index) => index));
  const isCounted = (measured: StreamsRow): boolean => shownRows([measured]).length === 1;
  return rows.map(
    (measured) => `${measured.step.streams} ${measured.verdict}${isCounted(measured) ? '' : ' again'}`,
  );
}

test('a row that is INVALID is measured again, and only the last one counts', async () => {
  expect(await verdictsOf([])).toEqual(['0 PASS', '1 PASS']);
  expect(await verdictsOf([0])).toEqual(['0 INVALID again', '0 PASS', '1 PASS']);
  expect(await verdictsOf([1])).toEqual(['0 PASS', '1 INVALID again', '1 PASS']);
});

test('a row that stays INVALID ends the ramp after its retries', async () => {
  expect(await verdictsOf([0, 1])).toEqual(['0 INVALID again', '0 INVALID']);
  expect(await verdictsOf([0], { invalidRetries: 0 })).toEqual(['0 INVALID']);
  const thrice = ['0 INVALID again', '0 INVALID again', '0 INVALID again', '0 PASS', '1 PASS'];
  expect(await verdictsOf([0, 1, 2], { invalidRetries: 3 })).toEqual(thrice);
});

test('of repeats one that is INVALID is not measured again', async () => {
  const repeats = ['0 PASS', '1 INVALID again', '1 PASS again', '1 PASS'];
  expect(await verdictsOf([1], { repeats: 2 })).toEqual(repeats);
});

test('a stream that is not back for a retry ends the ramp with a row that says so', async () => {
  const fake = fakeContext((index, streams, set) => {
    if (index !== 1) return row(index, streams);
    const [stream] = (set as unknown as { streams: { firstCaptureNs: number; addedNs: number }[] }).streams;
    if (stream) Object.assign(stream, { firstCaptureNs: 0, addedNs: 0 });
    return { ...row(index, streams), verdict: 'INVALID' };
  });
  const rows = await rowsOf(fake, { maxStreams: 2, stopOn: ['sender-miss'] });
  expect(rows.map(({ step }) => step.streams)).toEqual([0, 1, 1, 2]);
});

test.each([
  ['a ramp', {}, [], []],
  ['a ramp in steps', { start: 2, step: 3, maxStreams: 9 }, [], []],
  ['a ramp that starts at its end', { start: 4 }, [], []],
  ['repeats', { repeats: 3 }, [], []],
  ['one that is refined', { start: 2, step: 4, maxStreams: 16, refine: true }, [], []],
  ['a baseline that is repeated', {}, [0], ['row 0 is INVALID and is repeated, 1 of at most 1']],
  [
    'rows that are repeated twice',
    { invalidRetries: 2 },
    [1, 2],
    [1, 2].map((index) => `row ${index} is INVALID and is repeated, ${index} of at most 2`),
  ],
])('the remaining time of %s rises only where a row is repeated, which is said', async (...values) => {
  const [, parameters, invalid, expected] = values;
  const carried = 7;
  const fake = fakeContext((index, streams) => {
    const lost = streams > carried ? 'FAIL' : 'PASS';
    return { ...row(index, streams), verdict: invalid.some((one) => one === index) ? 'INVALID' : lost };
  });
  const rows = await rowsOf(fake, { maxStreams: 4, stopOn: [], ...parameters });
  expect(rows.length).toBeGreaterThan(1);
  expect(fake.rises).toEqual(expected);
  expect(fake.latest.now?.note).toBeUndefined();
});
