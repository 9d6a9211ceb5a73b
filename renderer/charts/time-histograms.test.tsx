import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { metricOf } from '../../app/facts/metrics/registry';
import { exampleRow } from '../../app/testing/example-run';
import { axisBins, Histograms } from './time-histograms';

test('a few bins have room on both sides, and many have none', () => {
  expect(axisBins([{ firstBin: 223, counts: [90] }])).toEqual({ first: 211, end: 236 });
  expect(axisBins([{ firstBin: 100, counts: Array(30).fill(1) }])).toEqual({ first: 100, end: 130 });
});

test('a single bin is a bar over an axis with times', () => {
  const metric = metricOf('submitIntervalMs.histogram');
  const row = exampleRow(1);
  const rows = [{ ...row, figures: { ...row.figures, [metric.id]: { firstBin: 223, counts: [90] } } }];
  const markup = renderToStaticMarkup(<Histograms metric={metric} rows={rows} />);
  expect(
    Number(/data-bin="223"/.test(markup) && /<rect[^>]* width="([\d.]+)"/.exec(markup)?.[1]),
  ).toBeLessThan(20);
  expect([...markup.matchAll(/<text[^>]*>([\d.]+)<\/text>/g)].map(([, text]) => text)).toEqual([
    '20',
    '30',
    '40',
    '50',
  ]);
});
