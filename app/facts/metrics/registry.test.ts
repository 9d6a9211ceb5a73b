import { expect, test } from 'vitest';
import { declarations } from '../../experiments/declarations';
import { experimentMetrics } from '../../experiments/facts';
import { exampleRow } from '../../testing/example-run';
import type { Figures } from '../figure';
import { recordedMetrics } from '../row-figures';
import { metricsDocument } from './document';
import { recordMetrics } from './records';
import { headingWithUnit, metricOf, metrics, rowMetrics } from './registry';

/** Ids of the numbers among these figures. */
function numbersOf(figures: Figures): string[] {
  return Object.keys(figures).filter((id) => figures[id] === null || typeof figures[id] === 'number');
}

test('each figure of one experiment is in a table or a chart of some experiment, and all of those are metrics', () => {
  const shown = declarations.flatMap(({ columns, charts }) =>
    [...columns, ...charts.flatMap(({ figures }) => figures)].map(({ metric }) => metric),
  );
  for (const id of shown) expect(metricOf(id).id).toBe(id);
  for (const { id } of experimentMetrics) expect(shown).toContain(id);
});

test('each figure of a row of streams has one metric, and each metric a figure', () => {
  const recorded = recordedMetrics([exampleRow()]).map(({ id }) => id);
  const others = recordMetrics.map(({ id }) => id);
  expect(new Set(metrics.map((metric) => metric.id)).size).toBe(metrics.length);
  expect(rowMetrics.map(({ id }) => id).sort()).toEqual(recorded.filter((id) => !others.includes(id)).sort());
});

test('each number of a row that its streams have too follows from theirs', () => {
  const { figures, subjects } = exampleRow();
  const ofStream = numbersOf(subjects[0]?.figures ?? {});
  const ofBoth = numbersOf(figures).filter((id) => ofStream.includes(id) && id !== 'bitrateMbps');
  const aggregated = rowMetrics.filter(({ aggregate }) => aggregate).map(({ id }) => id);
  expect(aggregated.sort()).toEqual(ofBoth.sort());
});

test('each metric says what it is, how it is made and where it is taken', () => {
  for (const metric of metrics) {
    expect(metric.heading, metric.id).not.toBe('');
    expect(metric.formula, metric.id).not.toBe('');
    expect(metric.description, metric.id).toMatch(/\.$/);
    expect(metric.source, metric.id).not.toBe('');
    expect(metric.digits, metric.id).toBeGreaterThanOrEqual(0);
  }
});

test('a metric is looked up by its id, and an unknown one is refused', () => {
  expect(headingWithUnit(metricOf('latencyMs.p99'))).toBe('Latency p99 (ms)');
  expect(headingWithUnit(metricOf('framesDropped'))).toBe('Dropped');
  expect(() => metricOf('framesLost')).toThrow(/No metric is registered as framesLost/);
});

test('docs/metrics.md is what the registry says; `vitest -u` writes it', async () => {
  await expect(metricsDocument()).toMatchFileSnapshot('../../../docs/metrics.md');
});
