import { expect, test } from 'vitest';
import { columnsOf } from '../../app/protocol/experiments/declaration';
import { rowOf } from '../dev/fixtures';
import { axisTicks, isRamp, stepChartsOf, stepName } from './step-series';

test.each([
  [0, 0, [0, 1]],
  [0, 4, [0, 1, 2, 3, 4]],
  [0, 99.5, [0, 25, 50, 75, 100]],
  [0, 100, [0, 25, 50, 75, 100]],
  [0, 0.013, [0, 0.005, 0.01, 0.015]],
  [-2, 6, [-2, 0, 2, 4, 6]],
])('an axis from %f to %f has the ticks %j', (smallest, largest, ticks) => {
  const found = axisTicks(smallest, largest);
  expect(found).toHaveLength(ticks.length);
  for (const [index, tick] of ticks.entries()) expect(found[index]).toBeCloseTo(tick, 9);
});

test('measures of one kind and unit share a chart; what was never measured has none', () => {
  const declared = [
    ...columnsOf('step', 'streams'),
    ...columnsOf('measure', 'sender.cpuMaxPercent', 'sender.gpuMaxPercent', 'receiver.cpuMaxPercent'),
    ...columnsOf('measure', 'link.throughputMbps'),
    ...columnsOf('spread', 'link.throughputMbps.sd'),
    ...columnsOf('count', 'framesDropped'),
  ];
  const rows = [rowOf(0), rowOf(1, { values: { 'link.throughputMbps': 940 } })];
  const charts = stepChartsOf(declared, rows);
  expect(charts.map(({ title, series }) => [title, series.map(({ metric }) => metric.id)])).toEqual([
    ['CPU max', ['sender.cpuMaxPercent', 'receiver.cpuMaxPercent']],
    ['Throughput', ['link.throughputMbps']],
  ]);
  expect(charts[1]?.series[0]?.spread?.id).toBe('link.throughputMbps.sd');
});

test('rows that differ in more than the number of streams are no ramp, and are named by their place', () => {
  const ramp = [rowOf(0), rowOf(2)];
  expect(isRamp(ramp)).toBe(true);
  expect(ramp.map(stepName)).toEqual(['0', '2']);
  const mixed = [rowOf(1, { row: 0, label: 'RUDP' }), rowOf(1, { row: 1, label: 'UDP' })];
  expect(isRamp(mixed)).toBe(false);
  expect(mixed.map(stepName)).toEqual(['0', '1']);
});
