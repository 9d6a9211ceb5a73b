import { expect, test } from 'vitest';
import { chartOf } from '../../app/experiments/declaration';
import { declarations } from '../../app/experiments/declarations';
import { columnsOf } from '../../app/facts/column';
import { metricOf, rowMetrics } from '../../app/facts/metrics/registry';
import { rowOf } from '../testing/fixtures';
import { axisTicks, rampOf, stepChartsOf, stepName } from './step-series';

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

test('charts are those that are declared; what was never measured has none', () => {
  const declared = {
    columns: [
      ...columnsOf('measure', 'link.throughputMbps'),
      ...columnsOf('spread', 'link.throughputMbps.sd'),
    ],
    charts: [
      chartOf('CPU max', {
        'Sender, all programs': 'sender.cpuMaxPercent',
        'Receiver, all programs': 'receiver.cpuMaxPercent',
      }),
      chartOf('GPU max', { Sender: 'sender.gpuMaxPercent', Receiver: 'receiver.gpuMaxPercent' }),
      chartOf('Throughput', { Target: 'link.targetMbps', Received: 'link.throughputMbps' }),
    ],
  };
  const rows = [
    rowOf(0),
    rowOf(1, {
      figures: { 'link.throughputMbps': 940, 'receiver.cpuMaxPercent': 71, 'sender.cpuMaxPercent': 70 },
    }),
  ];
  const charts = stepChartsOf(declared, rows);
  expect(
    charts.map(({ title, unit, series }) => [
      title,
      unit,
      series.map(({ metric, label }) => [metric.id, label]),
    ]),
  ).toEqual([
    [
      'CPU max',
      '%',
      [
        ['sender.cpuMaxPercent', 'Sender, all programs'],
        ['receiver.cpuMaxPercent', 'Receiver, all programs'],
      ],
    ],
    ['Throughput: Received', 'Mb/s', [['link.throughputMbps', 'Received']]],
  ]);
  expect(charts[1]?.series[0]?.spread?.id).toBe('link.throughputMbps.sd');
  // On one machine.
  const [cpu] = stepChartsOf(declared, [rowOf(0), rowOf(1)]);
  expect(cpu?.title).toBe('CPU max: Sender and Receiver, all programs');
  expect(cpu?.series.map(({ metric }) => metric.id)).toEqual(['sender.cpuMaxPercent']);
});

test.each(declarations)('$id: each chart has figures of one unit, at most four', ({ charts, columns }) => {
  const known = [...columns.map(({ metric }) => metric), ...rowMetrics.map(({ id }) => id)];
  for (const { title, kind = 'steps', figures } of charts) {
    expect(new Set(figures.map(({ metric }) => metricOf(metric).unit)).size, title).toBe(1);
    expect(figures.length, title).toBeLessThanOrEqual(4);
    // Of every row of streams, what a table has no room for is drawn only.
    if (kind === 'steps') for (const { metric } of figures) expect(known).toContain(metric);
  }
  expect(new Set(charts.map(({ title }) => title)).size).toBe(charts.length);
});

test('rows that differ in more than the number of streams are no ramp, and are named by their place', () => {
  const ramp = [rowOf(0), rowOf(2)];
  expect(rampOf(ramp)?.id).toBe('streams');
  expect(ramp.map((row) => stepName(row, rampOf(ramp)))).toEqual(['0', '2']);
  const mixed = [rowOf(1, { index: 0, label: 'RUDP' }), rowOf(1, { index: 1, label: 'UDP' })];
  expect(rampOf(mixed)).toBeNull();
  const alike = [rowOf(1, { index: 0 }), rowOf(1, { index: 1 })];
  expect(rampOf(alike)).toBeNull();
  expect(alike.map((row) => stepName(row, null))).toEqual(['0', '1']);
  expect(mixed.map((row) => stepName(row, rampOf(mixed)))).toEqual(['0', '1']);
});
