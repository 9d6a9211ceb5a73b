import { expect, test } from 'vitest';
import { rowOf } from '../testing/fixtures';
import { missingFigures, parseReport } from './report-data';

test('a page that was never filled holds no run', () => {
  expect(parseReport('{}')).toBeNull();
});

test('a reason for missing figures is given once for the same rows', () => {
  const notMeasured = { 'sender.gpuMaxPercent': 'no GPU', 'receiver.gpuMaxPercent': 'no GPU' };
  const rows = [rowOf(0, { notMeasured }), rowOf(1, { notMeasured })];
  expect(missingFigures({ experiment: 'stream-load', rows })).toEqual([
    { reason: 'no GPU', rows: [0, 1], figures: ['sender.gpuMaxPercent', 'receiver.gpuMaxPercent'] },
  ]);
});

test('a row is not named with a figure that it lacks for another reason', () => {
  const first = { 'sender.gpuMaxPercent': 'no GPU', 'receiver.gpuMaxPercent': 'no driver' };
  const second = { 'sender.gpuMaxPercent': 'no driver', 'receiver.gpuMaxPercent': 'no driver' };
  const rows = [rowOf(0, { notMeasured: first }), rowOf(1, { notMeasured: second })];
  expect(missingFigures({ experiment: 'stream-load', rows })).toEqual([
    { reason: 'no GPU', rows: [0], figures: ['sender.gpuMaxPercent'] },
    { reason: 'no driver', rows: [0, 1], figures: ['receiver.gpuMaxPercent'] },
    { reason: 'no driver', rows: [1], figures: ['sender.gpuMaxPercent'] },
  ]);
});

test('what the report has no place for is not named as missing', () => {
  const notMeasured = {
    'instrument.windowCpuMeanPercent': 'no window was running',
    'latencyMs.p999': 'too few',
  };
  expect(missingFigures({ experiment: 'stream-load', rows: [rowOf(1, { notMeasured })] })).toEqual([
    { reason: 'too few', rows: [1], figures: ['latencyMs.p999'] },
  ]);
});
