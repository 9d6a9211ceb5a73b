import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { fanOutDeclaration } from '../../app/experiments/fan-out/declaration';
import { madeUpFanOutRow, madeUpPlan } from '../../app/experiments/fan-out/fan-out-rows.fixture';
import { metricFor } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { Curves } from './curves';

const [chart] = fanOutDeclaration.charts;
const over = 'ddsFanOut.subscribers';

function drawn(rows: readonly Row[]): string {
  if (!chart) throw new Error('There is a chart');
  const metric = metricFor('ddsFanOut.medianMbps');
  return renderToStaticMarkup(<Curves chart={chart} metric={metric} over={over} rows={rows} />);
}

function rowsOf(sampleBytes: number): Row[] {
  const cases = ['unicast reliable', 'multicast reliable'] as const;
  return cases.flatMap((name) =>
    [1, 4].map((subscribers, index) =>
      madeUpFanOutRow(index, madeUpPlan(name, subscribers, { sampleBytes })),
    ),
  );
}

const count = (text: string, part: string): number => text.split(part).length - 1;

test('a line for each case, its band dashed, and one ideal for cases that share it', () => {
  const markup = drawn(rowsOf(8192));
  expect(count(markup, 'data-testid="step-chart"')).toBe(1);
  expect(count(markup, 'data-series="ddsFanOut.medianMbps"')).toBe(2);
  // What the multicast subscribers got least and most is alike, and one line.
  expect(count(markup, 'stroke-dasharray="4 3"')).toBe(3);
  expect(count(markup, 'stroke-dasharray="1 3"')).toBe(2);
  expect(markup).toContain('dashed: min and max; dotted: ideal');
  expect(markup).toContain('unicast reliable, Subscribers 4, ');
});

test('a chart for each size of a sample, where there are several', () => {
  const markup = drawn([...rowsOf(1024), ...rowsOf(8192)]);
  expect(markup).toContain('Throughput of each subscriber, Sample 1024 B');
  expect(markup).toContain('Throughput of each subscriber, Sample 8192 B');
});

test('rows that are INVALID are left out, which the chart says', () => {
  const rows = rowsOf(8192);
  expect(drawn(rows)).not.toContain('left out');
  const markup = drawn([...rows, ...[2, 8].map(invalidRow)]);
  expect(markup).toContain('INVALID rows are left out');
  expect(markup).not.toContain('Subscribers 8');
});

function invalidRow(subscribers: number): Row {
  return { ...madeUpFanOutRow(9, madeUpPlan('unicast reliable', subscribers)), verdict: 'INVALID' };
}

test('a number of subscribers that was not varied has no chart', () => {
  expect(drawn(rowsOf(8192).slice(0, 1))).toBe('');
});
