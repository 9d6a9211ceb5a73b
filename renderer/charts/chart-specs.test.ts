import { expect, test } from 'vitest';
import { LoadHistory } from '../engine/load-history';
import { chartSpecs, drawable, topOf, unmeasured } from './chart-specs';

test('an axis of per cent ends at 100, others above what is drawn', () => {
  const tops = (max: number | null) =>
    Object.fromEntries(chartSpecs.map((spec) => [spec.id, topOf(spec, max)]));
  expect(tops(null)).toEqual({ cpu: 100, gpu: 100, network: 10, latency: 5, lost: 5 });
  expect(tops(1000)).toEqual({ cpu: 100, gpu: 100, network: 1150, latency: 1150, lost: 1150 });
});

test('a chart of what this machine cannot measure is left out, once samples have shown that', () => {
  const history = new LoadHistory();
  const wallMs = (count: number) => Array.from({ length: count }, (_, index) => index * 500);
  const add = (count: number, gpuPercent: number | null, notMeasured: Record<string, string>) =>
    history.addColumns({
      wallMs: wallMs(count),
      columns: [[], [], [], Array.from({ length: count }, () => gpuPercent), [], [], [], [], [], []],
      notMeasured,
      samplesPerPoint: 1,
    });
  const left = () => unmeasured(chartSpecs, history).map(({ id }) => id);
  const isDrawn = () => drawable(chartSpecs, history).some(({ id }) => id === 'gpu');
  const reasons = { gpuPercent: 'no GPU', latencyP50Ms: 'no stream', cpuPercent: '/proc is absent' };
  add(9, null, reasons);
  expect(left()).toEqual([]);
  // Nor is there an empty chart until it is known.
  expect(isDrawn()).toBe(false);
  add(20, null, reasons);
  expect(left()).toEqual(['gpu']);
  add(21, 40, {});
  expect([left(), isDrawn()]).toEqual([[], true]);
  add(22, null, reasons);
  expect(left()).toEqual([]);
});
