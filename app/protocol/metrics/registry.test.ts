import { expect, test } from 'vitest';
import { z } from 'zod';
import { metricValue } from '../../testing/row-value';
import { experimentMetrics } from '../experiments/metrics';
import { declarations } from '../experiments/registry';
import { rowSchema, totalsSchema } from '../version-1/row';
import { metricsDocument } from './document';
import { headingWithUnit, metricOf, metrics, rowMetrics } from './registry';

/** Figures that place a row in its run and are not measured. */
const positions = ['row'];

/** Paths of all numeric fields of a JSON Schema of an object. */
function numericPaths(schema: z.core.JSONSchema._JSONSchema, prefix = ''): string[] {
  if (typeof schema === 'boolean') return [];
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    if (typeof property === 'boolean') return [];
    const path = `${prefix}${key}`;
    if (property.type === 'object') return numericPaths(property, `${path}.`);
    const variants = [property, ...(property.anyOf ?? [])];
    const numeric = variants.some(
      (variant) =>
        typeof variant !== 'boolean' &&
        [variant.type].flat().some((type) => type === 'number' || type === 'integer'),
    );
    return numeric ? [path] : [];
  });
}

test('each figure of one experiment is a column of some experiment, and each column a metric', () => {
  const columns = declarations.flatMap((declaration) => declaration.columns.map(({ metric }) => metric));
  for (const id of columns) expect(metricOf(id).id).toBe(id);
  for (const { id } of experimentMetrics) expect(columns).toContain(id);
});

test('each numeric field of a row has one metric, and each metric a field', () => {
  const fields = numericPaths(z.toJSONSchema(rowSchema)).filter((path) => !positions.includes(path));
  const ids = rowMetrics.map((metric) => metric.id);
  expect(new Set(metrics.map((metric) => metric.id)).size).toBe(metrics.length);
  expect([...ids].sort()).toEqual([...fields].sort());
});

test('each figure of a row that its streams have too follows from theirs', () => {
  const ofRow = ['bitrateMbps'];
  const fields = numericPaths(z.toJSONSchema(totalsSchema)).filter((path) => !ofRow.includes(path));
  const aggregated = rowMetrics.filter(({ aggregate }) => aggregate).map(({ id }) => id);
  expect(aggregated.sort()).toEqual(fields.sort());
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

test('a metric is looked up by its path, and an unknown one is refused', () => {
  const row = { framesDropped: 3, latencyMs: { p99: 4.5, max: null } };
  expect(metricValue(row, 'framesDropped')).toBe(3);
  expect(metricValue(row, 'latencyMs.p99')).toBe(4.5);
  expect(metricValue(row, 'latencyMs.max')).toBeNull();
  expect(metricValue(row, 'sender.cpuMaxPercent')).toBeNull();
  expect(headingWithUnit(metricOf('latencyMs.p99'))).toBe('Latency p99 (ms)');
  expect(headingWithUnit(metricOf('framesDropped'))).toBe('Dropped');
  expect(() => metricOf('framesLost')).toThrow(/No metric is registered as framesLost/);
});

test('docs/metrics.md is what the registry says; `vitest -u` writes it', async () => {
  await expect(metricsDocument()).toMatchFileSnapshot('../../../docs/metrics.md');
});
