import { describe, expect, test } from 'vitest';
import { metrics, metricValue } from '../../protocol/metrics/registry';
import { type Row, rowSchema, type StreamRow } from '../../protocol/row';
import { range } from '../../testing/columns';
import { loadSample, rowInput } from '../../testing/example-run';
import { frameNs, TestStream } from '../../testing/test-stream';
import { buildRow, type MeasuredStream } from './row-builder';
import type { LedgerIdentity } from './stream-ledger';

function measured(lost: number[] = [], identity: Partial<LedgerIdentity> = {}): MeasuredStream {
  const stream = new TestStream(identity);
  const counter = stream.open(60, 179);
  if (!identity.assumeSubmitted) stream.send(0, 239);
  stream.receive(0, 239, lost);
  return stream.measure(counter, 179);
}

/** A stream of which no frame was ever captured; without a ledger when its sender wrote nothing either. */
function silent(withLedger: boolean): MeasuredStream {
  const test = new TestStream();
  test.send(0, 239);
  const stream = test.stream();
  if (withLedger) return test.measure(test.open(60, 179), 179);
  stream.ledger = null;
  return { stream, counts: null, counter: null, framesPerSecond: 60 };
}

const fromTo = { fromNs: frameNs(60), toNs: frameNs(180) };

const rows: [string, () => Row][] = [
  ['one clean stream', () => buildRow(rowInput({ ...fromTo, streams: [measured()] }))],
  [
    'three streams, one with losses',
    () => buildRow(rowInput({ ...fromTo, streams: [measured(), measured([100, 101]), measured()] })),
  ],
  ['the baseline', () => buildRow(rowInput({ index: 0, baselineMbps: null }))],
  ['no load sample', () => buildRow(rowInput({ ...fromTo, samples: [], streams: [measured()] }))],
  ['no baseline', () => buildRow(rowInput({ ...fromTo, baselineMbps: null, streams: [measured()] }))],
  [
    'a machine that tells nothing',
    () =>
      buildRow(
        rowInput({
          ...fromTo,
          streams: [measured()],
          samples: [
            loadSample({
              cpuPercent: null,
              loopbackMbps: null,
              roles: { sending: null, receiving: null, console: null },
              notMeasured: { cpuPercent: 'absent', gpuPercent: 'absent', network: 'absent' },
            }),
          ],
        }),
      ),
  ],
  ['a stream without a frame', () => buildRow(rowInput({ ...fromTo, streams: [measured(), silent(true)] }))],
  [
    'a stream without a record',
    () => buildRow(rowInput({ ...fromTo, streams: [measured(), silent(false)] })),
  ],
  [
    'a sender elsewhere',
    () =>
      buildRow(
        rowInput({
          ...fromTo,
          streams: [measured([70], { assumeSubmitted: true, wallOffsetUs: null })],
        }),
      ),
  ],
];

/** Paths of all nulls of a row or of one of its streams. */
function nullsOf(value: Row | StreamRow): string[] {
  return Object.entries(value).flatMap(([key, field]) => {
    if (field === null) return [key];
    if (typeof field !== 'object' || Array.isArray(field) || key === 'notMeasured') return [];
    return Object.entries(field).flatMap(([inner, figure]) => (figure === null ? [`${key}.${inner}`] : []));
  });
}

describe.each(rows)('%s', (_, build) => {
  test('is a row as published', () => {
    expect(rowSchema.safeParse(build()).error).toBeUndefined();
  });

  test('gives a reason for each null, and for nothing else', () => {
    const row = build();
    for (const part of [row, ...row.perStream]) {
      expect(Object.keys(part.notMeasured).sort()).toEqual(nullsOf(part).sort());
      for (const [path, reason] of Object.entries(part.notMeasured)) expect(reason, path).toMatch(/\w{3}/);
    }
  });

  test('shows the figures of its metrics, or nothing', () => {
    const row = build();
    for (const { id } of metrics) {
      const value = metricValue(row, id);
      if (value === null) expect(row.notMeasured[id], id).toBeDefined();
      else expect(value, id).toBeGreaterThanOrEqual(0);
    }
  });
});

test('totals are sums of counts and the worst of the rest', () => {
  const streams = [measured(), measured([100, 101, 110]), measured([90])];
  const row = buildRow(rowInput({ ...fromTo, streams }));
  expect(row).toMatchObject({
    ...{ streams: 3, framesScheduled: 360, framesSubmitted: 360, picturesCaptured: 356, framesReceived: 356 },
    ...{ framesDropped: 4, framesDroppedTransport: 4, framesDroppedReceiverQueue: 0, worstWindowLost: 3 },
    ...{ conserved: true, verdict: 'FAIL', bitrateMbps: 100, measuredSeconds: 2 },
  });
  expect(row.perStream.map((stream) => stream.droppedFrames)).toEqual([[], [100, 101, 110], [90]]);
  expect(row.perStream.map((stream) => stream.verdict)).toEqual(['PASS', 'FAIL', 'WARN']);
  expect(row.longestGapMs).toBeCloseTo(3000 / 60, 3);
  expect(row.perStream[0]).toMatchObject({ firstFrame: 60, lastFrame: 179, bitrateMbps: null });
  expect(row.latencyMs.p50).toBeCloseTo(2, 1);
  expect(row.latencyFramesP50).toBeCloseTo(0.12, 1);
});

test('percentiles of the latency rise, and none is above the largest', () => {
  const stream = new TestStream();
  const counter = stream.open(0, 119);
  stream.send(0, 119);
  for (const slot of range(0, 119)) stream.capture(slot, { captureNs: frameNs(slot) + 1e6 + slot * 173_000 });
  const { latencyMs } = buildRow(rowInput({ streams: [stream.measure(counter, 119)] }));
  const rising = [latencyMs.min, latencyMs.p50, latencyMs.p90, latencyMs.p99, latencyMs.p999, latencyMs.max];
  expect(rising).toEqual([...rising].sort((a, b) => Number(a) - Number(b)));
  expect(latencyMs.min).toBeCloseTo(1, 2);
  expect(latencyMs.max).toBeCloseTo(1 + 119 * 0.173, 1);
});

test('a stream without a frame fails the row and says which one', () => {
  const row = buildRow(rowInput({ ...fromTo, streams: [silent(true)] }));
  expect(row).toMatchObject({ verdict: 'FAIL', framesDropped: 120, framesReceived: 0, connectMs: null });
  expect(row.reason).toBe('no frame within 10 s of adding Whiteline 1');
});

test('a sender elsewhere is not blamed: what is absent is missing', () => {
  const row = buildRow(rowInput({ ...fromTo, streams: [measured([70, 71], { assumeSubmitted: true })] }));
  expect(row).toMatchObject({ framesMissing: 2, framesDropped: null, framesSenderMissed: null });
});

test('the baseline has no stream and says so; a fault of the instrument makes it INVALID', () => {
  expect(buildRow(rowInput({ index: 0 }))).toMatchObject({
    ...{ streams: 0, framesSubmitted: 0, conserved: true, verdict: 'PASS' },
    reason: 'baseline: the source plays, no stream',
  });
  const faults = ['no load sample for 3.0 s'];
  expect(buildRow(rowInput({ index: 0, instrumentFaults: faults }))).toMatchObject({
    ...{ verdict: 'INVALID', reason: 'no load sample for 3.0 s' },
  });
});
