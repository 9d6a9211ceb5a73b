import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { metricOf } from '../../app/facts/metrics/registry';
import { texts } from '../texts';
import { ComparedStepChart } from './compared-step-chart';
import { ComparedTable } from './compared-table';
import { Regressions } from './comparison-view';
import { lastedText } from './run-texts';

vi.mock('../engine/connection', () => ({ isInBrowser: true, shell: {} }));

const step = (label: string) => {
  const standing = 'worse' as const;
  return { step: { 'link.protocol': label }, label, verdicts: [], standings: [standing], figures: [] };
};

test('bars of compared runs stand on the line of 0, up or down', () => {
  const series = { metric: metricOf('sender.cpuMaxPercent'), values: [[4], [-2]] };
  const markup = renderToStaticMarkup(<ComparedStepChart series={series} steps={[step('TCP')]} />);
  const bars = [...markup.matchAll(/<rect x="([\d.]+)"[^>]* y="([\d.]+)" height="([\d.]+)"/g)];
  const [up, down] = bars.map(([, x, y, height]) => ({ x: Number(x), y: Number(y), height: Number(height) }));
  // The axis reaches from -2 to 4 over 166 units, below a margin of 10; bars are 18 apart, around 50 + 378 / 2.
  expect(up?.y).toBeCloseTo(10, 9);
  expect(up?.height).toBeCloseTo((166 * 4) / 6, 9);
  expect(down?.y).toBeCloseTo(10 + (166 * 4) / 6, 9);
  expect(down?.height).toBeCloseTo((166 * 2) / 6, 9);
  expect([up?.x, down?.x]).toEqual([239 - 9 - 8.1, 239 + 9 - 8.1]);
});

test.each([
  [5.04, '+5.0'],
  [-5.04, '−5.0'],
  [0, '0.0'],
])('a change of %d per cent is %s', (changePercent, text) => {
  const value = {
    value: 1,
    perSecond: null,
    repeats: 1,
    noise: null,
    changePercent,
    standing: 'worse' as const,
  };
  const figures = [{ metric: 'sender.cpuMaxPercent', runs: [value, value] }];
  const run = { id: '', title: '', startedAt: '', state: 'finished' as const, verdict: null, reason: '' };
  const comparison = {
    ...{
      experiment: 'stream-load',
      tolerancePercent: 10,
      title: '',
      runs: [run, run],
      differences: [],
      notRecorded: [],
    },
    ...{ steps: [{ ...step('TCP'), figures }], uncovered: [] },
  };
  expect(renderToStaticMarkup(<ComparedTable comparison={comparison} />)).toContain(
    ` ${texts.sessions.change(text)} `,
  );
});

test('runs without a row that is valid in both are not said to be alike', () => {
  const comparison = {
    ...{
      experiment: 'stream-load',
      tolerancePercent: 10,
      title: '',
      runs: [],
      differences: [],
      notRecorded: [],
    },
    ...{ steps: [], uncovered: [] },
  };
  const saidIf = (notComparable: string | null): string =>
    renderToStaticMarkup(
      <Regressions compared={{ comparison, notComparable, regressions: [], unjudged: [] }} />,
    );
  expect(saidIf(null)).toContain('Nothing is worse than in A');
  const why = 'no row is valid in both runs';
  expect(saidIf(why)).toContain(`Nothing could be compared: ${why}.`);
  expect(saidIf(why)).not.toContain('Nothing is worse');
});

test('a run that has no end lasted no known time', () => {
  const startedAt = '2026-11-21T20:00:00.000Z';
  expect(lastedText({ startedAt, endedAt: null })).toBe('—');
  expect(lastedText({ startedAt, endedAt: '2026-11-21T20:01:10.000Z' })).toBe('1 min 10 s');
});
