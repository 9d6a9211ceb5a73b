import { expect, test } from 'vitest';
import { metricOf } from '../../app/facts/metrics/registry';
import { absentOf } from './absent';

test('each reason is said once, with the figures that a row does not have for it', () => {
  const metrics = ['latencyMs.p50', 'latencyMs.p99', 'longestGapMs', 'framesDropped', 'audioOffsetMs'];
  const clock = 'the clocks of both machines were not compared';
  const row = {
    index: 2,
    figures: { 'latencyMs.p50': null, 'latencyMs.p99': null, longestGapMs: 145.1, framesDropped: 0 },
    notMeasured: {
      ...{ 'latencyMs.p50': clock, 'latencyMs.p99': clock },
      ...{ longestGapMs: 'it was measured', audioOffsetMs: 'no sound came' },
    },
  };
  expect(absentOf(row, metrics.map(metricOf))).toEqual([
    { headings: ['Latency p50', 'Latency p99'], reason: clock },
    { headings: [metricOf('audioOffsetMs').heading], reason: 'no sound came' },
  ]);
  expect(absentOf({ ...row, notMeasured: {} }, metrics.map(metricOf))).toEqual([]);
});
