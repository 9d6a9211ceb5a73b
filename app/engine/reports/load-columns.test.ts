import { expect, test } from 'vitest';
import { loadSample } from '../../testing/load-sample';
import { loadColumnsOf, machineLoadsOf, ownSamplesOf } from './load-columns';

const ofRender = { host: 'render-1', machine: 'a1b2c3d4e5f6g7h8' };
const samples = [
  loadSample({ wallMs: 1000, host: 'control' }),
  loadSample({ ...ofRender, wallMs: 1100, cpuPercent: 90 }),
  loadSample({ wallMs: 2000, host: 'control' }),
  loadSample({ ...ofRender, wallMs: 2100, cpuPercent: 70 }),
  // A twin by name is another machine by its id.
  loadSample({ host: 'render-1', machine: 'z1b2c3d4e5f6g7h8', wallMs: 2200, cpuPercent: 10 }),
];

test('samples of other machines are none of the one that recorded the run, and each machine has its own', () => {
  expect(loadColumnsOf(ownSamplesOf(samples), []).wallMs).toEqual([1000, 2000]);
  expect(
    machineLoadsOf(samples).map(({ name, load: { wallMs, columns } }) => [name, wallMs, columns[0]]),
  ).toEqual([
    ['render-1', [1100, 2100], [90, 70]],
    ['render-1', [2200], [10]],
  ]);
});

test('a folder with more machines than a run has is drawn without the rest', () => {
  const many = Array.from({ length: 100 }, (_, id) => loadSample({ machine: String(id) }));
  expect(machineLoadsOf(many)).toHaveLength(64);
});
