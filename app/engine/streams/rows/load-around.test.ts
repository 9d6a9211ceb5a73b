import { expect, test } from 'vitest';
import { loadSample } from '../../../testing/load-sample';
import { receiverLoadAtDrops, senderLoadAtMisses } from './load-around';
import { ReportedLoads } from './reported-load';

const at = { fromNs: 10e9, toNs: 11e9 };
const counts = { missedAt: at, queueDroppedAt: at };
const loads = [8, 9.5, 12.5, 14].map((seconds) => ({
  atNs: seconds * 1e9,
  cpuPercent: 10 * seconds,
  gpuPercent: null,
}));

test('the load that counts is the most around the misses, here and as a sender elsewhere reports it', () => {
  const reportedLoads = new ReportedLoads();
  expect(
    senderLoadAtMisses(
      { reportedLoads },
      counts,
      loads.map((load) => loadSample(load)),
    ),
  ).toBe(125);
  for (const load of loads) reportedLoads.add(load);
  expect(senderLoadAtMisses({ reportedLoads }, counts, null)).toBe(125);
});

test('the load at another time made no sender late, and none is known without a miss', () => {
  const reportedLoads = new ReportedLoads();
  const later = [loadSample({ atNs: 14e9, cpuPercent: 99 })];
  expect(senderLoadAtMisses({ reportedLoads }, counts, later)).toBeNull();
  expect(senderLoadAtMisses({ reportedLoads }, { missedAt: null }, later)).toBeNull();
  expect(senderLoadAtMisses({ reportedLoads }, null, later)).toBeNull();
});

test('the load that counts for what our queue dropped is the most around it, and none at another time', () => {
  const samples = loads.map((load) => loadSample(load));
  expect(receiverLoadAtDrops(counts, samples)).toBe(125);
  expect(receiverLoadAtDrops(counts, samples.slice(3))).toBeNull();
  expect(receiverLoadAtDrops({ queueDroppedAt: null }, samples)).toBeNull();
  expect(receiverLoadAtDrops(null, samples)).toBeNull();
});
