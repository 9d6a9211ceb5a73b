import { expect, test } from 'vitest';
import { madeUpRow } from '../testing/made-up-rows';
import { figureOf, numberOf, recordedMetrics, scalarOf } from './row-figures';

const row = madeUpRow(0, {
  step: { streams: 2, 'link.protocol': 'TCP' },
  figures: { framesDropped: 0, stalls: null, 'latencyMs.histogram': { firstBin: 0, counts: [1] } },
  load: { 'rack-04': {}, 'rack-05': { sender: { cpuMaxPercent: 12.5, 'cpuParts.sdk': 3 } } },
});

test('a figure is found among the row’s own, among what was set, and in the load of the host that has it', () => {
  expect(numberOf(row, 'framesDropped')).toBe(0);
  expect(numberOf(row, 'streams')).toBe(2);
  expect(scalarOf(row, 'link.protocol')).toBe('TCP');
  expect(numberOf(row, 'sender.cpuMaxPercent')).toBe(12.5);
  expect(numberOf(row, 'sender.cpuParts.sdk')).toBe(3);
  expect(figureOf(row, 'latencyMs.histogram')).toEqual({ firstBin: 0, counts: [1] });
});

test('of the load of several hosts it is the highest, and not measured where one of them lacks it', () => {
  const load = {
    console: { receiver: { cpuMaxPercent: 30, memoryMaxMb: 90, wireErrors: null } },
    'rack-05': {
      receiver: { cpuMaxPercent: 42.5, memoryMaxMb: 60, wireErrors: 0 },
      sender: { wireErrors: 1 },
    },
  };
  const several = madeUpRow(1, { figures: {}, load });
  expect(numberOf(several, 'receiver.cpuMaxPercent')).toBe(42.5);
  expect(numberOf(several, 'receiver.memoryMaxMb')).toBe(90);
  expect(numberOf(several, 'receiver.wireErrors')).toBeNull();
  expect(numberOf(several, 'sender.wireErrors')).toBe(1);
});

test('what was not measured is null, and so is what only an object has', () => {
  for (const id of [
    'stalls',
    'receiver.cpuMaxPercent',
    'constructor',
    '__proto__',
    'constructor.name',
    'sender',
  ])
    expect(figureOf(row, id), id).toBeNull();
  expect(scalarOf(row, 'latencyMs.histogram')).toBeNull();
});

test('recorded figures stand in the order of the registry, unknown ones last', () => {
  const newer = madeUpRow(1, { figures: { 'newer.figure': 1, framesDropped: 1 } });
  const ids = recordedMetrics([newer, row]).map(({ id }) => id);
  expect(ids.indexOf('streams')).toBeLessThan(ids.indexOf('framesDropped'));
  expect(ids.indexOf('framesDropped')).toBeLessThan(ids.indexOf('sender.cpuMaxPercent'));
  expect(ids.at(-1)).toBe('newer.figure');
  expect(new Set(ids).size).toBe(ids.length);
});
