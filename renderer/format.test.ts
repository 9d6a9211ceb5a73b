import { expect, test } from 'vitest';
import { metricOf } from '../app/facts/metrics/registry';
import { clockTime, dateTime, figure, fileName, metricFigure, timeOfDay, valueFigure } from './format';

test('a figure that was not measured is a dash and never 0', () => {
  for (const value of [null, undefined, Number.NaN]) expect(figure(value, 1)).toBe('—');
  expect(figure(0, 1)).toBe('0.0');
});

test('figures have a fixed number of digits and grouped thousands', () => {
  expect(figure(1234567)).toBe('1,234,567');
  expect(figure(12.3456, 2)).toBe('12.35');
  expect(figure(12, 2)).toBe('12.00');
  // As a sentence of the engine has it.
  for (const ms of [17.615, 1.005, 2.675, -1.5]) expect(figure(ms, 2)).toBe(ms.toFixed(2));
});

test('a metric brings its own digits', () => {
  expect(metricFigure(7.128, metricOf('latencyMs.p99'))).toBe('7.13');
  expect(metricFigure(1200, metricOf('framesDropped'))).toBe('1,200');
  expect(metricFigure(null, metricOf('sender.gpuMaxPercent'))).toBe('—');
});

test('a figure of an experiment may be a word, or yes or no', () => {
  const metric = metricOf('framesDropped');
  expect(['link', true, false, 1200, null].map((value) => valueFigure(value, metric))).toEqual([
    'link',
    'yes',
    'no',
    '1,200',
    '—',
  ]);
});

test('a figure that may be below 0 says on which side it is', () => {
  const offset = metricOf('audioOffsetMs');
  const zero = (0).toFixed(offset.digits);
  expect(metricFigure(41.6, offset)).toMatch(/^\+41\.6/);
  expect(metricFigure(-41.6, offset)).toMatch(/^−41\.6/);
  expect([0, -0.0001, 0.0001].map((value) => metricFigure(value, offset))).toEqual([zero, zero, zero]);
  expect(metricFigure(null, offset)).toBe('—');
  expect(metricFigure(41.6, metricOf('latencyMs.p50'))).toBe('41.60');
});

test('a time of day is one of UTC, wherever it is read', () => {
  process.env.TZ = 'Asia/Tokyo';
  const at = '2026-11-21T04:03:07.013Z';
  expect(clockTime(at)).toBe('04:03:07.013');
  expect(timeOfDay(Date.parse(at))).toBe('04:03:07');
  expect(dateTime(at)).toBe('21 Nov 2026, 04:03 UTC');
  expect(dateTime(at, 'medium')).toBe('21 Nov 2026, 04:03:07 UTC');
});

test('a file name is the last part of a path of either kind', () => {
  expect(fileName('/media/clips/noise.mov')).toBe('noise.mov');
  expect(fileName('C:\\clips\\noise.mov')).toBe('noise.mov');
});
