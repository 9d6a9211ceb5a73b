import { describe, expect, test } from 'vitest';
import { declarations } from '../../experiments/declarations';
import type { Figures, Scalar } from '../../facts/figure';
import { frameMetrics } from '../../facts/metrics/frames';
import { isFlaw, metricOf, metrics } from '../../facts/metrics/registry';
import { soundMetrics } from '../../facts/metrics/sound';
import type { ClosedRow } from '../../facts/row';
import type { Run } from '../../facts/run';
import type { StreamsRow } from '../../facts/stream-row';
import type { Verdict } from '../../facts/verdict';
import type { ComparedValue, Comparison } from '../../protocol/history';
import { changedRow, exampleRow, exampleRun } from '../../testing/example-run';
import { setApart, tableRow } from '../../testing/made-up-rows';
import { compareRuns } from './compare';
import { notComparable, notJudgedOf, regressionsOf, unjudgedOf } from './regressions';

const isComparable = (comparison: Comparison): boolean => notComparable(comparison, String) === null;

const base = exampleRow();

interface RowFigures {
  latency?: number | null;
  cpu?: number;
  dropped?: number;
  verdict?: Verdict;
  repeat?: number | null;
}

function streamRow(streams: number, figures: RowFigures = {}): StreamsRow {
  const { latency = 5, cpu = 20, dropped = 0, verdict = 'PASS', repeat } = figures;
  return changedRow(base, {
    ...{ streams, verdict, sender: { cpuMaxPercent: cpu } },
    figures: {
      ...{ framesDropped: dropped, 'latencyMs.p99': latency },
      ...(repeat !== undefined && { 'streamLoad.repeat': repeat }),
    },
  });
}

function withFigures(row: StreamsRow, figures: Figures): StreamsRow {
  return changedRow(row, { figures });
}

function lossy(measuredSeconds: number, dropped: number): StreamsRow {
  return withFigures(streamRow(1, { dropped }), { measuredSeconds });
}

function run(rows: ClosedRow[], overrides: Partial<Run> = {}): Run {
  return { ...exampleRun(rows), ...overrides };
}

function figure(comparison: Comparison, metric: string, step = 0, index = 1): ComparedValue | undefined {
  return comparison.steps[step]?.figures.find((one) => one.metric === metric)?.runs[index];
}

test.each([
  ['transport', 'transport.asked', ['rudp', 'tcp'], 'Streams 1, Asked for rudp'],
  ['receiver-fan-out', 'fanOut.arm', ['receivers', 'senders'], 'Added receivers, Senders 1, Receivers 1'],
])(
  '%s: rows of the same number of streams that were set otherwise are no repeats',
  (experiment, id, set, label) => {
    const counts = { 'fanOut.senders': 1, 'fanOut.receivers': 1 };
    const rows = set.map((value) =>
      changedRow(streamRow(1), setApart(experiment, { ...counts, [id]: value })),
    );
    const doubled = { 'fanOut.senders': 2, 'fanOut.receivers': 2, [id]: set[1] as string };
    const grown = changedRow(streamRow(2), setApart(experiment, doubled));
    const one = run([...rows, grown], { experiment });
    const { steps } = compareRuns([one, one]);
    expect(steps).toHaveLength(3);
    expect(steps[0]?.label).toBe(label);
  },
);

describe('values side by side', () => {
  test('are aligned by step, with the change in per cent of the first and a word for which is better', () => {
    const a = run([streamRow(0), streamRow(1, { latency: 5 }), streamRow(2, { latency: 6 })]);
    const b = run([
      streamRow(1, { latency: 4 }),
      streamRow(2, { latency: 9, verdict: 'WARN' }),
      streamRow(3),
    ]);
    const comparison = compareRuns([a, b]);
    expect(comparison.steps.map(({ label, verdicts }) => [label, ...verdicts])).toEqual([
      ['Streams 0', 'PASS', null],
      ['Streams 1', 'PASS', 'PASS'],
      ['Streams 2', 'PASS', 'WARN'],
      ['Streams 3', null, 'PASS'],
    ]);
    // One repeat each: how far repeats lie apart is not known.
    expect(figure(comparison, 'latencyMs.p99', 1)).toMatchObject({
      ...{ value: 4, standing: 'unjudged', noise: null },
    });
    expect(figure(comparison, 'latencyMs.p99', 1)?.changePercent).toBeCloseTo(-20, 6);
    expect(figure(comparison, 'latencyMs.p99', 2)).toMatchObject({ value: 9, standing: 'unjudged' });
    expect(figure(comparison, 'latencyMs.p99', 2)?.changePercent).toBeCloseTo(50, 6);
    expect(figure(comparison, 'sender.cpuMaxPercent', 1)).toMatchObject({
      standing: 'same',
      changePercent: 0,
    });
    expect(figure(comparison, 'latencyMs.p99', 3)).toMatchObject({
      standing: 'unknown',
      changePercent: null,
    });
    expect(comparison.steps[2]?.standings).toEqual(['same', 'worse']);
    expect(comparison.uncovered).toEqual([
      { runs: [0], labels: ['Streams 0'] },
      { runs: [1], labels: ['Streams 3'] },
    ]);
  });

  test('change by the figures of the review: 150 → 90 is −40 %, 4.54 → 8.53 is +88 %', () => {
    const a = run([withFigures(streamRow(1, { latency: 4.54 }), { framesReceived: 150 })]);
    const b = run([withFigures(streamRow(1, { latency: 8.53 }), { framesReceived: 90 })]);
    const comparison = compareRuns([a, b]);
    expect(figure(comparison, 'framesReceived')).toMatchObject({ changePercent: -40, standing: 'unjudged' });
    expect(figure(comparison, 'latencyMs.p99')?.changePercent).toBeCloseTo(87.9, 1);
    expect(figure(comparison, 'latencyMs.p99')?.standing).toBe('unjudged');
    expect(regressionsOf(comparison)).toEqual([]);
    expect(unjudgedOf(comparison).map(({ metric }) => metric)).toEqual(['framesReceived', 'latencyMs.p99']);
  });

  test('that print alike are the same', () => {
    const compareOneRow = (first: RowFigures, second: RowFigures, metric: string) =>
      figure(compareRuns([run([streamRow(1, first)]), run([streamRow(1, second)])]), metric);
    const same = { standing: 'same', changePercent: 0 };
    // Both are 99.5 %.
    expect(compareOneRow({ cpu: 99.46 }, { cpu: 99.54 }, 'sender.cpuMaxPercent')).toMatchObject(same);
    // Both are 0.00 ms, although one is twice the other.
    expect(compareOneRow({ latency: 0.002 }, { latency: 0.004 }, 'latencyMs.p99')).toMatchObject(same);
    // The change prints as 0.0 %, or is one of the last digit.
    expect(compareOneRow({ dropped: 5000 }, { dropped: 5002 }, 'framesDropped')?.standing).toBe('tolerance');
    expect(compareOneRow({ cpu: 99.4 }, { cpu: 99.5 }, 'sender.cpuMaxPercent')?.standing).toBe('tolerance');
    expect(compareOneRow({ cpu: 42.14 }, { cpu: 42.16 }, 'sender.cpuMaxPercent')?.standing).toBe('tolerance');
    // The same with a tolerance of 0: a change of 0.04 % does not count, one of 0.06 % does.
    const untolerated = (dropped: number) =>
      figure(
        compareRuns([run([streamRow(1, { dropped: 5000 })]), run([streamRow(1, { dropped })])], 0),
        'framesDropped',
      );
    expect([5002, 5003].map((dropped) => untolerated(dropped)?.standing)).toEqual(['tolerance', 'unjudged']);
    const lossy = { dropped: 1, verdict: 'WARN' } as const;
    expect(compareOneRow({ dropped: 0 }, lossy, 'framesDropped')?.standing).toBe('worse');
  });

  test('from 0 have no percentage', () => {
    const comparison = compareRuns([
      run([streamRow(1)]),
      run([streamRow(1, { dropped: 3, verdict: 'FAIL' })]),
    ]);
    expect(figure(comparison, 'framesDropped')).toMatchObject({ changePercent: null, standing: 'worse' });
  });

  test('of counts over rows of different lengths are compared per second', () => {
    const held = (seconds: number, dropped: number): StreamsRow =>
      withFigures(streamRow(1, { dropped, verdict: dropped > 0 ? 'WARN' : 'PASS' }), {
        ...{ measuredSeconds: seconds, framesReceived: 60 * seconds, worstWindowLost: dropped },
      });
    const comparison = compareRuns([run([held(10, 20)]), run([held(2, 3)])]);
    expect(figure(comparison, 'framesReceived')).toMatchObject({
      ...{ value: 120, perSecond: 60, changePercent: 0, standing: 'same' },
    });
    expect(figure(comparison, 'framesDropped')).toMatchObject({ perSecond: 1.5, standing: 'unjudged' });
    expect(figure(comparison, 'framesDropped')?.changePercent).toBeCloseTo(-25, 6);
    // A latency is no sum over time.
    expect(figure(comparison, 'latencyMs.p99')).toMatchObject({ perSecond: null, standing: 'same' });
    const worse = compareRuns([run([held(10, 20)]), run([held(2, 8)])]);
    expect(unjudgedOf(worse)).toMatchObject([
      { text: 'Dropped 2.00 → 4.00 per second (+100.0 %), one repeat each' },
    ]);
    // One frame in an hour is a loss, though it is 0.00 per second.
    const first = compareRuns([run([held(3600, 0)]), run([held(1800, 1)])]);
    expect(figure(first, 'framesDropped')).toMatchObject({ changePercent: null, standing: 'worse' });
    const repeats = compareRuns([run([held(10, 20), held(10, 30)]), run([held(2, 7)])]);
    expect(figure(repeats, 'framesDropped')).toMatchObject({ perSecond: 3.5, noise: 1 });
    expect(figure(compareRuns([run([held(10, 20)]), run([held(10.05, 20)])]), 'framesDropped')).toMatchObject(
      {
        ...{ perSecond: null, standing: 'same' },
      },
    );
  });

  test('of counts over unequal lengths are the same where their rates print alike (V18)', () => {
    const held = (seconds: number, framesReceived: number): Run =>
      run([withFigures(streamRow(1), { measuredSeconds: seconds, framesReceived })]);
    const compareHeld = (...[a, b]: [Run, Run]) => figure(compareRuns([a, b]), 'framesReceived');
    // 30.00/s and 30.0033/s, shown as 30.00/s.
    expect(compareHeld(held(10, 300), held(30, 900.1))).toMatchObject({
      ...{ standing: 'same', changePercent: 0 },
    });
    // Rows of nearly the same length: one holds a frame more, and its rate is the same.
    expect(compareHeld(held(10, 300), held(10 + 1 / 30, 301))).toMatchObject({
      ...{ perSecond: null, standing: 'same', changePercent: 0 },
    });
    // Of the same length one frame more is one frame more.
    expect(compareHeld(held(600, 18_000), held(600, 18_001))).toMatchObject({ standing: 'tolerance' });
    // 0.00056/s and 0.00083/s: rates that two digits would make alike.
    const rare = [run([lossy(3600, 2)]), run([lossy(1200, 1)])];
    expect(figure(compareRuns(rare), 'framesDropped')).toMatchObject({ standing: 'unjudged' });
  });

  test('of what a link carried in a repeat are compared per second of a repeat', () => {
    const link = (repeatSeconds: number | null, megabytes: number): Run => {
      const repeat = { 'link.dataMb': megabytes, 'link.repeatSeconds': repeatSeconds };
      return run([linkRow('TCP', 900, 1, repeat)], { experiment: 'link' });
    };
    expect(figure(compareRuns([link(10, 1000), link(1, 100)]), 'link.dataMb')).toMatchObject({
      ...{ value: 100, perSecond: 100, changePercent: 0, standing: 'same' },
    });
    // Runs of an older version do not say how long a repeat was.
    expect(figure(compareRuns([link(null, 1000), link(1, 100)]), 'link.dataMb')).toMatchObject({
      ...{ perSecond: null, changePercent: -90 },
    });
  });

  test('of three runs are each held against the first', () => {
    const comparison = compareRuns([4, 8, 2].map((latency) => run([streamRow(1, { latency })])));
    expect(comparison.steps[0]?.figures.find(({ metric }) => metric === 'latencyMs.p99')?.runs).toMatchObject(
      [
        { value: 4, standing: 'same', changePercent: null },
        { value: 8, standing: 'unjudged' },
        { value: 2, standing: 'unjudged' },
      ],
    );
  });

  test('that were not measured, or are of an INVALID row, are never a difference', () => {
    const a = run([streamRow(1), streamRow(2)]);
    const b = run([streamRow(1, { latency: null }), streamRow(2, { latency: 50, verdict: 'INVALID' })]);
    const comparison = compareRuns([a, b]);
    expect(figure(comparison, 'latencyMs.p99', 0)).toMatchObject({ value: null, standing: 'unknown' });
    expect(figure(comparison, 'latencyMs.p99', 1)).toMatchObject({
      value: null,
      repeats: 0,
      standing: 'unknown',
    });
    expect(regressionsOf(comparison)).toEqual([]);
    expect(isComparable(comparison)).toBe(true);
    expect(isComparable(compareRuns([a, run([streamRow(1, { verdict: 'INVALID' })])]))).toBe(false);
  });
});

describe('losses and flaws (V24)', () => {
  // In a step that was passed before and now, a first flaw may be noise.
  const lossyRow = changedRow(exampleRow(), { verdict: 'WARN' });
  const before = exampleRun([lossyRow]);
  const runWith = (figures: Figures): Run => exampleRun([changedRow(lossyRow, { figures })]);
  const regressed = (now: Run) => regressionsOf(compareRuns([before, now])).map(({ metric }) => metric);

  test('30 damaged and 11 duplicated frames more are regressions, though no column has them', () => {
    const now = runWith({ framesDamaged: 30, framesSpoilt: 30, framesDuplicated: 11 });
    expect(regressed(now).sort()).toEqual(['framesDamaged', 'framesDuplicated', 'framesSpoilt']);
  });

  test.each([...frameMetrics, ...soundMetrics].filter(({ direction }) => direction === 'lower'))(
    '$id: one more than in the first run is a regression',
    ({ id, isDetail }) => {
      const first = runWith({ [id]: 0 });
      const regressions = regressionsOf(compareRuns([first, runWith({ [id]: 1 })]));
      // Details only split what other figures count.
      expect(isDetail === true).toBe(id.startsWith('gapHistogram.'));
      expect(regressions.map(({ metric }) => metric)).toEqual(isDetail ? [] : [id]);
    },
  );

  test.each(declarations)('$id compares every loss of its table', ({ id, columns }) => {
    const lost = columns.filter(({ metric }) => isFlaw(metricOf(metric)));
    const counted = (count: number): Run => {
      const figures = Object.fromEntries(lost.map(({ metric }) => [metric, count]));
      return { ...runWith(figures), experiment: id };
    };
    const found = regressionsOf(compareRuns([counted(0), counted(1)])).map(({ metric }) => metric);
    expect(found).toEqual(expect.arrayContaining(lost.map(({ metric }) => metric)));
  });

  test('of rows that follow each other, as those of a watch do, one counts whichever row has it', () => {
    const watch = (...rows: [dropped: number, seconds: number][]): Run =>
      run(
        rows.map(([dropped, seconds]) =>
          changedRow(lossy(seconds, dropped), { figures: { worstWindowLost: dropped }, verdict: 'WARN' }),
        ),
        { experiment: 'watch' },
      );
    const clean = watch([0, 10], [0, 10], [0, 10]);
    const worse = compareRuns([clean, watch([0, 10], [0, 10], [4, 10])]);
    expect(figure(worse, 'framesDropped')).toMatchObject({ value: 4, standing: 'worse', noise: null });
    // 4 in 30 s and 8 in 60 s are as many per second; the most in one window is no sum.
    const twice = compareRuns([watch([4, 10], [0, 10], [0, 10]), watch([4, 30], [4, 30])]);
    expect(figure(twice, 'framesDropped')).toMatchObject({ value: 8, standing: 'same' });
    expect(figure(twice, 'worstWindowLost')).toMatchObject({ value: 4, standing: 'same' });
  });

  test('a longest gap or a maximum is not compared between rows of unequal length, and equal ones are equal', () => {
    const held = (seconds: number, longestGapMs: number): Run =>
      run([withFigures(streamRow(1), { measuredSeconds: seconds, longestGapMs })]);
    const unequal = compareRuns([held(10, 17), held(60, 400)]);
    expect(figure(unequal, 'longestGapMs')).toMatchObject({ standing: 'unlike', changePercent: null });
    expect([...regressionsOf(unequal), ...unjudgedOf(unequal)].map(({ metric }) => metric)).not.toContain(
      'longestGapMs',
    );
    expect(figure(compareRuns([held(10, 17), held(60, 17)]), 'longestGapMs')?.standing).toBe('same');
    expect(figure(compareRuns([held(60, 17), held(60, 400)]), 'longestGapMs')?.standing).toBe('unjudged');
  });

  test('the worst frame of many is not compared with that of few, however long the rows were', () => {
    const worst = 'quality.worstPsnrYDb';
    const compared = (psnrDb: number, pairs: number, seconds: number): Run => {
      const figures = { 'quality.pairs': pairs, [worst]: psnrDb, measuredSeconds: seconds };
      return { ...run([withFigures(streamRow(1), figures)]), experiment: 'codec-quality' };
    };
    const first = compared(41, 50, 10);
    expect(figure(compareRuns([first, compared(20, 200, 10)]), worst)).toMatchObject({ standing: 'unlike' });
    expect(figure(compareRuns([first, compared(20, 50, 60)]), worst)?.standing).toBe('unjudged');
  });

  test('each figure that is the end of a distribution says over which time', () => {
    const ends = metrics.filter(
      ({ id, shape }) => shape !== 'series' && /\.(min|max)([A-Z]|$)|Max[A-Z]|longest|worst/.test(id),
    );
    expect(ends.length).toBeGreaterThan(20);
    // The number of a frame, and figures over subscribers and crosspoints.
    expect(ends.filter(({ extremeOver }) => extremeOver === undefined).map(({ id }) => id)).toEqual([
      ...['quality.worstFrame', 'ddsFanOut.minMbps', 'ddsFanOut.maxMbps', 'nmos.crosspoint.maxMs'],
    ]);
  });

  test('one number of streams is not compared with another', () => {
    const of = (streams: number): Run => run([streamRow(streams, {})], { experiment: 'watch' });
    const comparison = compareRuns([of(1), of(6)]);
    expect(comparison.steps.map(({ label }) => label)).toEqual(['Streams 1', 'Streams 6']);
    expect(isComparable(comparison)).toBe(false);
  });

  test('a machine that was busy before the first stream is no worse run', () => {
    const of = (verdict: Verdict, codes: string[]): Run => {
      const made = run([streamRow(0, { verdict }), streamRow(1)]);
      const rows = made.rows.map((row) => ({ ...row, reason: codes.map((code) => ({ code, data: {} })) }));
      return { ...made, rows };
    };
    const standings = (now: Run) => compareRuns([of('PASS', []), now]).steps[0]?.standings;
    expect(standings(of('WARN', ['busy-baseline']))).toEqual(['same', 'unknown']);
    expect(standings(of('WARN', ['frames-lost']))).toEqual(['same', 'worse']);
    expect(standings(of('FAIL', ['busy-baseline', 'sender-missed']))).toEqual(['same', 'worse']);
  });

  test('one that was measured before and is not now was not judged again', () => {
    const comparison = compareRuns([before, runWith({ framesDropped: null })]);
    expect(regressionsOf(comparison)).toEqual([]);
    expect(notJudgedOf(comparison)).toEqual(['Streams 1: Dropped (not measured)']);
    // What the first run did not measure cannot have become worse.
    const other = compareRuns([runWith({ framesDropped: null }), before]);
    expect(notJudgedOf(other)).toEqual([]);
  });
});

describe('noise', () => {
  const repeats = (latencies: number[]): Run => run(latencies.map((latency) => streamRow(1, { latency })));

  test('is how far repeats of a step lie apart, of either run', () => {
    const comparison = compareRuns([repeats([4, 5, 9]), repeats([8, 8.5])]);
    // Medians 5 and 8.25; the first run's repeats lie 5 ms apart.
    expect(figure(comparison, 'latencyMs.p99', 0, 0)).toMatchObject({ value: 5, repeats: 3, noise: 5 });
    expect(figure(comparison, 'latencyMs.p99')).toMatchObject({
      value: 8.25,
      repeats: 2,
      noise: 5,
      standing: 'noise',
    });
    expect(regressionsOf(comparison)).toEqual([]);
    // A difference equal to the noise does not count.
    expect(figure(compareRuns([repeats([4, 5]), repeats([5, 6])]), 'latencyMs.p99')).toMatchObject({
      ...{ noise: 1, standing: 'noise' },
    });
    expect(figure(compareRuns([repeats([4, 4.5]), repeats([8, 8.5])]), 'latencyMs.p99')).toMatchObject({
      noise: 0.5,
      standing: 'worse',
    });
  });

  test('a row that stands for its repeats is not one more of them', () => {
    const rows = [
      ...[4, 5, 9].map((latency, index) => streamRow(1, { latency, repeat: index + 1 })),
      streamRow(1, { latency: 5, repeat: null }),
    ];
    const comparison = compareRuns([run(rows), run(rows)]);
    expect(comparison.steps).toHaveLength(1);
    expect(figure(comparison, 'latencyMs.p99')).toMatchObject({
      value: 5,
      repeats: 3,
      noise: 5,
      standing: 'same',
    });
  });

  test('a step is judged by the row that stands for its repeats, or by those that are not INVALID', () => {
    const repeats = [
      streamRow(1, { latency: 4, repeat: 1 }),
      streamRow(1, { latency: 50, repeat: 2, verdict: 'INVALID' }),
      streamRow(1, { latency: 5, repeat: 3, verdict: 'WARN' }),
    ];
    const whole = streamRow(1, { latency: 5, repeat: null });
    const cost = 'streamLoad.machineCpuPerStreamPercent';
    const complete = run([...repeats, withFigures(whole, { [cost]: 2.5 })]);
    const comparison = compareRuns([complete, run(repeats)]);
    expect(comparison.steps[0]?.verdicts).toEqual(['PASS', 'WARN']);
    // The cost of a stream is reported once for all repeats.
    expect(figure(comparison, cost, 0, 0)).toMatchObject({ value: 2.5, repeats: 1 });
    expect(figure(comparison, cost)).toMatchObject({ value: null, standing: 'unknown' });
    expect(regressionsOf(comparison)).toMatchObject([{ metric: null, text: 'WARN, it was PASS' }]);
  });

  test('is twice the deviation that a row reports of its own repeats', () => {
    const link = (throughput: number, deviation: number): Run =>
      run([linkRow('TCP', throughput, deviation)], { experiment: 'link' });
    const within = compareRuns([link(900, 20), link(870, 5)]);
    expect(figure(within, 'link.throughputMbps')).toMatchObject({ noise: 40, standing: 'noise' });
    const beyond = compareRuns([link(900, 20), link(700, 5)]);
    expect(figure(beyond, 'link.throughputMbps')).toMatchObject({ noise: 40, standing: 'worse' });
    expect(figure(beyond, 'link.throughputMbps')?.changePercent).toBeCloseTo(-22.22, 2);
  });
});

function linkRow(
  protocol: string,
  throughput: number,
  deviation: number,
  others: Record<string, Scalar> = {},
): ClosedRow {
  const values = {
    ...{ 'link.protocol': protocol, 'link.direction': 'send' },
    ...{ 'link.throughputMbps': throughput, 'link.throughputMbps.sd': deviation },
  };
  return tableRow('link', { ...values, ...others }, { label: protocol });
}

test('what was the same in all rows of a run is a setting, not a step: a disk and a share can be compared', () => {
  const storage = (folder: string, rate: number): Run =>
    run(
      ['SEQ1M', 'RND4K'].map((name, index) =>
        tableRow(
          'storage',
          { 'storage.folder': folder, 'storage.test': name, 'storage.medianMBps': rate },
          { index, label: `${name} on ${folder}` },
        ),
      ),
      { experiment: 'storage', parameters: { folder } },
    );
  const comparison = compareRuns([storage('/mnt/disk', 500), storage('/mnt/share', 100)]);
  expect(comparison.steps.map(({ step }) => step)).toEqual([
    { 'storage.test': 'SEQ1M' },
    { 'storage.test': 'RND4K' },
  ]);
  expect(figure(comparison, 'storage.medianMBps')).toMatchObject({ value: 100, standing: 'unjudged' });
  expect(comparison.differences).toEqual([
    { of: 'parameters', path: 'folder', name: 'folder', values: ['/mnt/disk', '/mnt/share'] },
  ]);
});

test('what is measured is never a setting: throughput is not compared with latency, nor small samples with large ones', () => {
  const fanOut = (measure: string, sampleBytes: number): Run =>
    run(
      [
        tableRow(
          'fan-out',
          {
            ...{
              'ddsFanOut.measure': measure,
              'ddsFanOut.case': 'unicast reliable',
              'ddsFanOut.subscribers': 2,
            },
            ...{ 'ddsFanOut.sampleBytes': sampleBytes, 'ddsFanOut.publisherCpuPercent': sampleBytes },
          },
          { label: `${measure}, ${sampleBytes} B` },
        ),
      ],
      { experiment: 'fan-out' },
    );
  const same = compareRuns([fanOut('throughput', 8192), fanOut('throughput', 8192)]);
  expect(same.steps).toHaveLength(1);
  for (const other of [fanOut('latency', 8192), fanOut('throughput', 1024)]) {
    const comparison = compareRuns([fanOut('throughput', 8192), other]);
    expect(comparison.uncovered.map(({ runs }) => runs)).toEqual([[0], [1]]);
    expect(regressionsOf(comparison)).toEqual([]);
    expect(isComparable(comparison)).toBe(false);
  }
});

test('a figure of either sign is no better and no worse, and has no change in per cent of itself', () => {
  const storage = (difference: number, freeMib: number): Run =>
    run([tableRow('storage', { 'storage.differencePercent': difference })], {
      experiment: 'storage',
      environment: { topology: 'this machine', folders: [{ name: '/mnt', freeMib }] },
    });
  const comparison = compareRuns([storage(-0.74, 75_008), storage(-4.3, 75_006)]);
  expect(figure(comparison, 'storage.differencePercent')).toMatchObject({
    ...{ standing: 'different', changePercent: null },
  });
  expect(regressionsOf(comparison)).toEqual([]);
  // The room that is left on a disk was not set.
  expect(comparison.differences).toEqual([]);
});

test('a row for which nothing was set is named by its own words', () => {
  const storage = run(
    ['SEQ1M', 'RND4K', null].map((name, index) =>
      tableRow(
        'storage',
        { 'storage.test': name },
        { index, label: name ? `${name} on /mnt/disk` : 'the machine itself' },
      ),
    ),
    { experiment: 'storage' },
  );
  const labels = compareRuns([storage, storage]).steps.map(({ label }) => label);
  expect(labels).toEqual(['Test SEQ1M', 'Test RND4K', 'the machine itself']);
});

test('rows of machines that were measured side by side are compared machine by machine', () => {
  const quiet = run(
    ['display-1', 'display-2'].flatMap((machine) => [
      tableRow('quiet', {}, { step: { machine, 'quiet.rateHz': 60 }, label: `${machine}: 60 Hz` }),
      tableRow('quiet', {}, { step: { machine, 'quiet.rateHz': 1000 }, label: `${machine}: 1000 Hz` }),
      tableRow('quiet', {}, { step: { machine }, label: `${machine}: cores` }),
    ]),
    { experiment: 'quiet' },
  );
  expect(compareRuns([quiet, quiet]).steps.map(({ label }) => label)).toEqual([
    ...['Machine display-1, Rate 60', 'Machine display-1, Rate 1000', 'display-1: cores'],
    ...['Machine display-2, Rate 60', 'Machine display-2, Rate 1000', 'display-2: cores'],
  ]);
  const preflight = (...machines: string[]): Run =>
    run(
      machines.flatMap((machine) =>
        ['MTU', 'Firewall'].map((check) =>
          tableRow('preflight', {}, { step: { machine }, label: `${machine}: ${check}` }),
        ),
      ),
      { experiment: 'preflight' },
    );
  const labels = ['display-1: MTU', 'display-1: Firewall', 'display-2: MTU', 'display-2: Firewall'];
  const both = preflight('display-1', 'display-2');
  expect(compareRuns([both, both]).steps.map(({ label }) => label)).toEqual(labels);
  expect(compareRuns([both, preflight('display-1')]).uncovered).toEqual([
    { runs: [0], labels: labels.slice(2) },
  ]);
});

test('what was set differently comes first, whatever the order of lists', () => {
  const environment = (driver: string, interfaces: object[]): Run['environment'] => ({
    ndi: { version: '6.3' },
    hosts: [
      {
        hostName: 'render',
        clockSync: { state: 'synchronised', offsetUs: Math.random() },
        interfaces,
        driver,
      },
    ],
  });
  const [eth0, lo] = [
    { name: 'eth0', mtuBytes: 1500 },
    { name: 'lo', mtuBytes: 65_536 },
  ];
  const a = run([base], { environment: environment('550', [eth0, lo]) });
  const b = run([base], {
    environment: environment('560', [lo, { ...eth0, mtuBytes: 9000 }]),
    parameters: { maxStreams: 2 },
    thresholds: { ...a.thresholds, acceptableLostFrames: 0 },
  });
  expect(compareRuns([a, b]).differences).toEqual([
    {
      of: 'environment',
      path: 'hosts.0.interfaces.eth0.mtuBytes',
      name: 'Machine, network card eth0, MTU (bytes)',
      values: ['1500', '9000'],
    },
    { of: 'environment', path: 'hosts.0.driver', name: 'Machine, driver', values: ['550', '560'] },
    { of: 'parameters', path: 'maxStreams', name: 'Streams at most', values: ['1', '2'] },
    {
      of: 'thresholds',
      path: 'acceptableLostFrames',
      name: 'Threshold: acceptable lost frames',
      values: ['1', '0'],
    },
  ]);
});

describe('regressions', () => {
  const before = run([streamRow(1), streamRow(2, { cpu: 40 })]);
  const found = (of: typeof regressionsOf, rows: ClosedRow[], tolerance = 10): (string | null)[][] =>
    of(compareRuns([before, run(rows)], tolerance)).map(({ label, metric, text }) => [label, metric, text]);

  test('none where all is as it was, or better', () => {
    const rows = [streamRow(1, { latency: 3 }), streamRow(2, { cpu: 10 })];
    expect(found(regressionsOf, rows)).toEqual([]);
    expect(found(unjudgedOf, rows)).toEqual([]);
  });

  test('a noise that is not known cannot be exceeded: what is worse by more than the tolerance is listed alone', () => {
    const rows = [streamRow(1, { latency: 5.2 }), streamRow(2, { cpu: 60 })];
    expect(found(regressionsOf, rows)).toEqual([]);
    expect(found(unjudgedOf, rows)).toEqual([
      [
        'Streams 2',
        'sender.cpuMaxPercent',
        expect.stringMatching(/40\.0 → 60\.0 %? ?.*\(\+50\.0 %\), one repeat each/),
      ],
    ]);
    expect(found(unjudgedOf, rows, 50)).toEqual([]);
    expect(found(unjudgedOf, rows, 1).map(([, metric]) => metric)).toEqual([
      'latencyMs.p99',
      'sender.cpuMaxPercent',
    ]);
  });

  test('a first lost frame and a worse verdict, not a step that is absent', () => {
    expect(found(regressionsOf, [streamRow(1, { dropped: 1, verdict: 'WARN' })])).toEqual([
      ['Streams 1', null, 'WARN, it was PASS'],
      ['Streams 1', 'framesDropped', 'Dropped 0 → 1, one repeat each'],
    ]);
  });
});

test('steps of which not every run has one are listed apart, and only a carried one leaves the first run uncovered', () => {
  const a = run([streamRow(1), streamRow(2), streamRow(3, { verdict: 'FAIL' })]);
  const shorter = compareRuns([a, run([streamRow(1)]), run([streamRow(1), streamRow(2)])]);
  expect(shorter.uncovered).toEqual([
    { runs: [0, 2], labels: ['Streams 2'] },
    { runs: [0], labels: ['Streams 3'] },
  ]);
  expect(regressionsOf(shorter)).toEqual([]);
  expect(notJudgedOf(shorter)).toEqual(['Streams 2 (not judged again)']);
  expect(notJudgedOf(compareRuns([a, run([streamRow(1), streamRow(2), streamRow(4)])]))).toEqual([]);
});

test('a carried step is covered only by a row that says something', () => {
  const a = run([streamRow(1), streamRow(2), streamRow(3, { verdict: 'FAIL' })]);
  const spoilt = run([1, 2, 3].map((streams) => streamRow(streams, { verdict: 'INVALID' })));
  const once = run([streamRow(1), streamRow(2, { verdict: 'INVALID' })]);
  expect(notJudgedOf(compareRuns([a, spoilt]))).toEqual(
    [1, 2].map((streams) => `Streams ${streams} (not judged again)`),
  );
  // What could not be judged before is not compared either, however well it goes now.
  expect(notJudgedOf(compareRuns([spoilt, a]))).toEqual(
    [1, 2, 3].map((streams) => `Streams ${streams} (INVALID in the first run)`),
  );
  expect(notJudgedOf(compareRuns([spoilt, run([])]))).toEqual([]);
  expect(notJudgedOf(compareRuns([a, a, once]))).toEqual(['Streams 2 (not judged again)']);
  expect(notJudgedOf(compareRuns([a, run([streamRow(1), streamRow(2, { verdict: 'FAIL' })])]))).toEqual([]);
});

test('a step that was not carried before and is not measured now is no regression', () => {
  const a = run([streamRow(1), streamRow(2, { verdict: 'FAIL' })]);
  expect(regressionsOf(compareRuns([a, run([streamRow(1)])]))).toEqual([]);
});

test('less than two runs, or runs of different experiments, are refused', () => {
  expect(() => compareRuns([run([streamRow(1)])])).toThrow(
    'Expected two runs or more for runs but received 1',
  );
  expect(() => compareRuns([run([streamRow(1)]), run([streamRow(1)], { experiment: 'link' })])).toThrow(
    'Expected runs of one experiment (stream-load) for runs but received link',
  );
});

describe('reads', () => {
  const source = { kind: 'hap', playedBy: 'Whiteline', preload: false };
  const played = (...sources: unknown[]): Run =>
    run([streamRow(1)], { environment: { source: sources[0], ...(sources.length > 1 && { sources }) } });
  const cached = played({ ...source, reads: 'cached' });
  const direct = played({ ...source, reads: 'direct' });

  test.each([
    ['direct beside cached', direct, cached, 'direct', 'cached'],
    ['direct beside a run from before there was a choice', direct, played(source), 'direct', 'cached'],
    [
      'cached beside a mix with a direct one',
      cached,
      played({ kind: 'noise' }, { ...source, reads: 'direct' }),
      'cached',
      'direct',
    ],
    [
      'a folder’s own file, by its rows',
      run([tableRow('storage', {}, { details: { direct: true } })]),
      run([tableRow('storage', {}, { details: { direct: false } })]),
      'direct',
      'cached',
    ],
  ])('%s are not compared', (_, one, other, first, second) => {
    expect(() => compareRuns([one, one, other])).toThrow(
      `Expected runs that read alike (${first}) for runs but received ${second}`,
    );
  });

  test.each([
    ['alike', direct, direct],
    ['cached and from before', cached, played(source)],
    ['direct and out of memory', direct, played({ ...source, preload: true })],
    ['direct and generated', direct, played({ kind: 'noise' })],
    ['direct and by ffmpeg', direct, played({ kind: 'hap', playedBy: 'ffmpeg' })],
    ['direct and what a file may hold', direct, played({ ...source, reads: 7 })],
  ])('%s are compared', (_, one, other) => {
    expect(compareRuns([one, other]).steps).toHaveLength(1);
  });
});

test('runs of an experiment that this version does not know are compared by what a ramp has', () => {
  const live = (): Run => run([streamRow(1)], { experiment: 'live' });
  expect(compareRuns([live(), live()]).steps[0]?.label).toBe('Streams 1');
});

test('a baseline without streams alone compares nothing', () => {
  const baseline = streamRow(0, { cpu: 20 });
  const a = run([baseline, streamRow(1, { verdict: 'INVALID' })], { verdict: 'INVALID' });
  const b = run([streamRow(0, { cpu: 60, dropped: 1, verdict: 'WARN' }), streamRow(1), streamRow(2)]);
  const comparison = compareRuns([a, b]);
  expect(notComparable(comparison, String)).toMatch(/^no number of streams is valid in both runs \(/);
  expect(regressionsOf(comparison)).toEqual([]);
  expect(unjudgedOf(comparison)).toEqual([]);
  expect(isComparable(compareRuns([run([baseline, streamRow(1)]), b]))).toBe(true);
});

test('a run that is not whole is neither as good as another nor worse by what it lacks', () => {
  const missing = { rows: 1, rowNumbers: [1], events: 0, samples: 0, files: [] };
  const a = run([streamRow(0), streamRow(1)]);
  const b = run([streamRow(0)], { missing, verdict: 'INVALID', reason: 'a row is missing' });
  const comparison = compareRuns([a, b]);
  expect(comparison.runs.map((one) => one.missing)).toEqual([undefined, missing]);
  expect(isComparable(comparison)).toBe(false);
  expect(isComparable(compareRuns([a, a]))).toBe(true);
  expect(regressionsOf(comparison)).toEqual([]);
});
