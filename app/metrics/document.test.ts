import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { dashboard } from './dashboard';
import { exportedTable, outcomeTable } from './document';
import { frameOutcomes } from './frame-outcomes';
import { exportedMetrics } from './metric-table';

const page = resolve('docs/prometheus.md');

test('the page has the tables of what is exported; `vitest -u` writes them', async () => {
  const text = [
    ['metrics', exportedTable()],
    ['outcomes', outcomeTable()],
  ].reduce(
    (before, [name, table]) => {
      const [begin, end] = [`<!-- ${name}: \`vitest -u\` writes this table -->\n`, `<!-- /${name} -->`];
      const [head, inside] = before.split(begin);
      if (inside === undefined || !inside.includes(end)) throw new Error(`${page} has no place for ${name}`);
      return `${head}${begin}\n${table}\n\n${inside.slice(inside.indexOf(end))}`;
    },
    readFileSync(page, 'utf8'),
  );
  await expect(text).toMatchFileSnapshot(page);
});

test('the dashboard is the one of the docs; `vitest -u` writes it', async () => {
  await expect(`${JSON.stringify(dashboard(), null, 2)}\n`).toMatchFileSnapshot(
    resolve('docs/grafana-dashboard.json'),
  );
});

test('names are those that Prometheus asks for: one prefix, base units, _total of counters alone', () => {
  const names = exportedMetrics.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, type, help, labels } of exportedMetrics) {
    expect(name).toMatch(/^whiteline_[a-z]+(_[a-z]+)*$/);
    expect(name).not.toMatch(/_(ms|us|ns|mb|mbps|percent|ppm|milliseconds|megabytes|bits)(_|$)/);
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(labels.includes('quantile'), name).toBe(type === 'summary');
    expect(help).toMatch(/\.$/);
  }
});

/** Each metric and outcome that an expression names is exported, with the labels by which it chooses. */
function checkExpression(expr: string): void {
  const named = [...expr.matchAll(/\b(whiteline_\w+)(?:\{([^}]*)\})?/g)];
  expect(named.length + Number(expr.startsWith('up{')), expr).toBeGreaterThan(0);
  for (const [, name, chosen = ''] of named) {
    const metric = exportedMetrics.find((one) => one.name === name);
    const known = ['instance', 'job', ...(metric?.labels ?? [])];
    expect(metric, `${name} in ${expr}`).toBeDefined();
    for (const [, label, value = ''] of chosen.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)) {
      expect(known, `${expr}`).toContain(label);
      if (label === 'outcome') expect(Object.keys(frameOutcomes)).toContain(value);
    }
  }
}

const dashboardSchema = z.object({
  title: z.string(),
  schemaVersion: z.literal(38),
  panels: z.array(
    z.object({
      id: z.int().positive(),
      datasource: z.object({ type: z.literal('prometheus'), uid: z.literal('${datasource}') }),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() })).min(1),
    }),
  ),
});

test('each panel of the dashboard has a place of its own, and asks for what is exported', () => {
  const { panels } = dashboardSchema.parse(dashboard());
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  for (const { targets } of panels) {
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    for (const { expr } of targets) checkExpression(expr);
  }
});

const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

test('each alert of the page asks for what is exported', () => {
  const [, block = ''] = /```yaml\n(groups:.*?)```/s.exec(readFileSync(page, 'utf8')) ?? [];
  const { groups } = rulesSchema.parse(parse(block));
  const rules = groups.flatMap(({ rules: own }) => own);
  expect(rules.length).toBeGreaterThan(5);
  for (const { expr } of rules) checkExpression(expr);
});
