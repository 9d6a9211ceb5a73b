import { expect, test } from 'vitest';
import { range } from '../../../testing/columns';
import { rowInput } from '../../../testing/example-run';
import { fromOtherMachine, fromTo, measured, withSound } from '../../../testing/measured-streams';
import { namedStreams, type Row } from '../../../testing/named-rows';
import { frameNs, TestStream } from '../../../testing/test-stream';
import type { ReleaseClock } from '../clocks/release-clock';
import { buildRow as buildRowOf } from './row-builder';
import type { RowInput } from './row-input';

function buildRow(input: RowInput): Row {
  return namedStreams(buildRowOf(input));
}

test('between two machines the latency is free of the clocks’ difference, which stands beside it with its ±', () => {
  const clock: ReleaseClock = {
    offsetUs: () => 38_000,
    differenceUs: () => 37_000,
    isShared: false,
    steps: [],
    uncertaintyUs: (atNs) => (atNs > 3e9 ? 120 : 80),
  };
  const stream = new TestStream({ clock });
  const counter = stream.open(60, 179);
  stream.send(0, 239);
  for (const slot of range(0, 239)) stream.capture(slot, { releaseTimeUs: frameNs(slot) / 1000 + 38_000 });
  const streams = [stream.measure(counter, 179)];
  const row = buildRow(rowInput({ ...fromTo, streams }));
  expect(row.clockOffsetMs).toBeCloseTo(37, 9);
  expect(row.latencyUncertaintyMs).toBeCloseTo(0.12, 9);
  expect(row.latencyMs.min).toBeCloseTo(2, 6);
  expect(row.latencyMs.max).toBeCloseTo(2, 2);
});

test('a latency below 0 within the ± is one of 0, beyond it nothing is measured', () => {
  const near = buildRow(rowInput({ ...fromTo, streams: [fromOtherMachine(() => -0.1)] }));
  expect([near.latencyMs.min, near.latencyMs.max]).toEqual([0, 0]);
  const once = buildRow(
    rowInput({ ...fromTo, streams: [fromOtherMachine((slot) => (slot === 100 ? -5 : 2))] }),
  );
  expect(once.latencyMs.p50).toBeNull();
  expect(once.perStream[0]?.notMeasured.latencyJitterMs).toMatch(/clocks disagree/);
});

test('a step of the other clock that is known at its time leaves the latency as it is', () => {
  const steppedNs = frameNs(120);
  const offsetUs = (atNs: number): number => (atNs < steppedNs ? 37_000 : -5_000_000);
  const stream = new TestStream({
    clock: { isShared: false, steps: [], offsetUs, differenceUs: offsetUs, uncertaintyUs: () => 50 },
  });
  const counter = stream.open(60, 179);
  stream.send(0, 239);
  for (const slot of range(0, 239)) {
    const captureNs = frameNs(slot) + 2e6;
    stream.capture(slot, { captureNs, releaseTimeUs: frameNs(slot) / 1000 + offsetUs(captureNs) });
  }
  const row = buildRow(rowInput({ ...fromTo, streams: [stream.measure(counter, 179)] }));
  expect(row.latencyMs.min).toBeCloseTo(2, 6);
  expect(row.latencyMs.max).toBeCloseTo(2, 2);
});

test('intervals: a miss makes one of submit longer, a loss one of receive; evenly sent, the jitter is 0', () => {
  const even = buildRow(rowInput({ ...fromTo, streams: [measured()] }));
  expect(even.submitIntervalMs.max).toBeCloseTo(1000 / 60, 1);
  expect(even.submitIntervalMs.min).toBeCloseTo(1000 / 60, 6);
  expect(even.submitJitterMs).toBeCloseTo(0, 6);
  expect([even.receiveJitterMs, even.latencyJitterMs].map((value) => Math.round((value ?? 1) * 1e6))).toEqual(
    [0, 0],
  );
  const lost = buildRow(rowInput({ ...fromTo, streams: [measured([100, 101])] }));
  expect(lost.submitIntervalMs.max).toBeCloseTo(1000 / 60, 1);
  expect(lost.receiveIntervalMs.max).toBeCloseTo(3000 / 60, 0);
  // One interval of three periods among 117 of one: two steps of two periods.
  expect(lost.receiveJitterMs).toBeCloseTo((2 * 2 * (1000 / 60)) / 117, 4);
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  stream.send(0, 239, { missed: [100] });
  stream.receive(0, 239, [100]);
  const missed = buildRow(rowInput({ ...fromTo, streams: [stream.measure(counter, 179)] }));
  expect(missed.submitIntervalMs.max).toBeCloseTo(2000 / 60, 0);
});

test('the latency’s jitter is how much one differs from the next', () => {
  const row = buildRow(
    rowInput({ ...fromTo, streams: [fromOtherMachine((slot) => (slot % 2 === 0 ? 2 : 5))] }),
  );
  expect(row.latencyJitterMs).toBeCloseTo(3, 6);
});

test('sound against picture: its offset, its drift over the row, and the blocks that were lost', () => {
  const tenSeconds = { fromNs: frameNs(60), toNs: frameNs(660) };
  const late = withSound((slot) => 40 + slot / 60, [100, 101, 700]);
  const row = buildRow(rowInput({ ...tenSeconds, streams: [withSound(() => -80), late] }));
  expect(row.perStream.map((stream) => stream.audioBlocksMissing)).toEqual([0, 2]);
  expect(row.perStream[1]?.audioOffsetMs).toBeCloseTo(45.5, 3);
  expect(row.perStream[1]?.audioDriftMs).toBeCloseTo(10, 3);
  expect(row.perStream[0]?.audioOffsetMs).toBeCloseTo(-80, 3);
  expect(row).toMatchObject({ audioBlocksMissing: 2, audioOffsetMs: row.perStream[0]?.audioOffsetMs });
});

test('percentiles of the latency rise, and none is above the largest', () => {
  const stream = new TestStream();
  const counter = stream.open(0, 1199);
  stream.send(0, 1199);
  for (const slot of range(0, 1199)) stream.capture(slot, { captureNs: frameNs(slot) + 1e6 + slot * 17_300 });
  const { latencyMs } = buildRow(rowInput({ streams: [stream.measure(counter, 1199)] }));
  const rising = [latencyMs.min, latencyMs.p50, latencyMs.p90, latencyMs.p99, latencyMs.p999, latencyMs.max];
  expect(rising).toEqual([...rising].sort((a, b) => Number(a) - Number(b)));
  expect(latencyMs.min).toBeCloseTo(1, 2);
  expect(latencyMs.max).toBeCloseTo(1 + 1199 * 0.0173, 1);
});

test('a tail of fewer than 1,000 frames is not measured, and says so; all streams together may have one', () => {
  const streams = Array.from({ length: 2 }, () => {
    const stream = new TestStream();
    const counter = stream.open(0, 599);
    stream.send(0, 599);
    stream.receive(0, 599);
    return stream.measure(counter, 599);
  });
  const row = buildRow(rowInput({ streams }));
  for (const { latencyMs, notMeasured } of row.perStream) {
    expect(latencyMs.p999).toBeNull();
    expect(latencyMs.p99).not.toBeNull();
    for (const id of ['latencyMs', 'submitIntervalMs', 'receiveIntervalMs'])
      expect(notMeasured[`${id}.p999`]).toBe('fewer than 1,000 values');
  }
  expect(row.latencyMs.p999).not.toBeNull();
  expect(row.notMeasured).not.toHaveProperty('latencyMs.p999');
});
