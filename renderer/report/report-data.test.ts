import { expect, test } from 'vitest';
import { rowOf } from '../testing/fixtures';
import { missingFigures, parseReport } from './report-data';

test('a page that was never filled holds no run', () => {
  expect(parseReport('{}')).toBeNull();
});

test('a reason for missing figures is given once, with its rows', () => {
  const notMeasured = { 'sender.gpuMaxPercent': 'no GPU', 'receiver.gpuMaxPercent': 'no GPU' };
  expect(missingFigures({ rows: [rowOf(0, { notMeasured }), rowOf(1, { notMeasured })] })).toEqual([
    { reason: 'no GPU', rows: [0, 1], figures: ['sender.gpuMaxPercent', 'receiver.gpuMaxPercent'] },
  ]);
});
