import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { tickText } from '../charts/chart-frame';
import { texts } from '../texts';
import { Environment } from './environment';
import { hasLosses } from './losses';

test('what else was noted is left out where it holds nothing', () => {
  const environment = { hosts: [{ hostName: 'render-1', cores: 2 }], sources: [] };
  expect(renderToStaticMarkup(<Environment environment={environment} />)).not.toContain(texts.report.none);
});

test('without rows there is no word of losses', () => {
  expect(hasLosses({ rows: [], hasReceiver: true })).toBe(false);
});

test('a figure of an axis is as short as its place', () => {
  expect([9500, 50_000, 100_000].map(tickText)).toEqual(['9,500', '50K', '100K']);
});
