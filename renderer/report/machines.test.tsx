import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadColumnsOf, machineLoadsOf } from '../../app/engine/reports/load-columns';
import { exampleRow, exampleRun } from '../../app/testing/example-run';
import { loadSample } from '../../app/testing/load-sample';
import { plain } from '../../app/testing/shown-figures';
import { texts } from '../texts';
import { Report } from './report';

const ofRender = { host: 'render-1', machine: 'a1b2c3d4e5f6g7h8' };

const hosts = [
  { hostName: 'control', cpuModel: 'X' },
  { hostName: 'control', machine: { name: 'render-1', clockUncertaintyMs: 0.2 }, cpuModel: 'Y' },
];

function markup(environment: Record<string, unknown> = { hosts }): string {
  const row = exampleRow();
  const run = {
    ...exampleRun([
      { ...row, figures: { ...row.figures, 'latencyMs.p99': 1.1234, latencyUncertaintyMs: 0.381 } },
    ]),
    environment,
  };
  const load = loadColumnsOf([loadSample()], []);
  const machines = machineLoadsOf([loadSample(ofRender)]);
  const data = { run, load, machines, marks: [], causes: [], leftOut: [], notes: [], pictures: [] };
  return renderToStaticMarkup(<Report data={{ ...data, picturesLeftOut: [] }} />);
}

test('each machine of a run has charts and an environment of its own, by the name of its agent', () => {
  const page = markup();
  expect(page.split('data-testid="machine-charts"')).toHaveLength(2);
  expect(page).toContain(texts.report.console);
  expect(page).toContain(texts.report.host('control'));
  expect(page).toContain(texts.report.host('render-1 (control)'));
  expect(page.split('data-testid="chart-cpu"')).toHaveLength(3);
  // Frames and latency are counted by the console alone.
  expect(page.split('data-testid="chart-latency"').length).toBeLessThan(3);
});

test('a latency between two machines has its ± in the table', () => {
  const text = plain(markup()).replace(/<[^>]*>/g, '');
  expect(text.includes('1.12 ±0.381')).toBe(true);
});

test('a machine that was asked twice stands there once, in whichever order it answered', () => {
  const host = { hostName: 'stage', cores: 2, versions: { ndi: '6', node: '24' } };
  const again = { versions: { node: '24', ndi: '6' }, cores: 2, hostName: 'stage' };
  const blocks = (...all: object[]): number => markup({ hosts: all }).split('data-testid="host"').length - 1;
  expect(blocks(host, again)).toBe(1);
  expect(blocks(host, { ...again, cores: 4 })).toBe(2);
});
