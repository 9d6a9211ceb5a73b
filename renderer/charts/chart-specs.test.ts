import { expect, test } from 'vitest';
import { chartSpecs, topOf } from './chart-specs';

test('an axis of per cent ends at 100, others above what is drawn', () => {
  const tops = (max: number | null) =>
    Object.fromEntries(chartSpecs.map((spec) => [spec.id, topOf(spec, max)]));
  expect(tops(null)).toEqual({ cpu: 100, gpu: 100, network: 10, latency: 5, lost: 5 });
  expect(tops(1000)).toEqual({ cpu: 100, gpu: 100, network: 1150, latency: 1150, lost: 1150 });
});
