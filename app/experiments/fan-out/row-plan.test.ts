import { expect, test } from 'vitest';
import { fanOutCases, fanOutParameters } from './declaration';
import { batchOf, caseFacts, labelOf, processPlans, rowPlans } from './row-plan';

test('all cases of one size and number stand together', () => {
  const parameters = fanOutParameters.parse({ sampleBytes: [128, 1024], subscribers: [1, 2], repeats: 2 });
  const plans = rowPlans(parameters);
  expect(plans).toHaveLength(2 * 2 * 2 * fanOutCases.length);
  expect(plans.slice(0, 5).map((plan) => plan.case)).toEqual([...fanOutCases]);
  expect(plans.slice(0, 6).map(({ subscribers }) => subscribers)).toEqual([1, 1, 1, 1, 1, 2]);
  expect(plans.map(labelOf)[0]).toBe('unicast best-effort, 128 B, 1 subscriber, repeat 1');
  expect(new Set(plans.map(labelOf)).size).toBe(plans.length);
});

test('each case asks of DDS what its name says', () => {
  expect(fanOutCases.map((name) => Object.values(caseFacts(name)))).toEqual([
    [false, false, false],
    [false, true, true],
    [true, false, false],
    [true, true, true],
    [true, true, false],
  ]);
});

test.each([
  [128, 8192, 'throughput', 8192],
  [4096, 8192, 'throughput', 8192],
  [4097, 8192, 'throughput', 0],
  [8192, 8192, 'throughput', 0],
  [128, 8192, 'latency', 0],
  [128, 0, 'throughput', 0],
] as const)('samples of %i B in batches of %i B: %s', (sampleBytes, batchBytes, measure, batch) => {
  const [plan] = rowPlans(fanOutParameters.parse({ sampleBytes: [sampleBytes], measure: [measure] }));
  if (!plan) throw new Error('There is a row');
  expect(batchOf(plan, fanOutParameters.parse({ batchBytes }))).toBe(batch);
});

test.each([
  [1, 4, 0, [1], [0]],
  [8, 4, 0, [4, 4], [0, 0]],
  [10, 4, 0, [3, 4, 3], [0, 0, 0]],
  [4, 4, 4, [1, 1, 1, 1], [0, 1, 2, 3]],
  [2, 4, 4, [1, 1], [0, 1]],
  [8, 1, 3, [1, 1, 1, 1, 1, 1, 1, 1], [0, 1, 2, 0, 1, 2, 0, 1]],
  [100, 100, 0, [100], [0]],
])('%i subscribers, %i to a process, in %i namespaces', (subscribers, each, namespaces, counts, places) => {
  const plans = processPlans(subscribers, { subscribersPerProcess: each, namespaces });
  expect(plans.map(({ count }) => count)).toEqual(counts);
  expect(plans.map(({ place }) => place)).toEqual(places);
  expect(plans.map(({ first }) => first)).toEqual(
    counts.map((_, index) => counts.slice(0, index).reduce((total, count) => total + count, 0)),
  );
});

test.each([
  [1, 4, 'b,c', [1], [0]],
  [5, 4, 'b,c', [3, 2], [0, 1]],
  [9, 4, 'b,c', [3, 2, 4], [0, 0, 1]],
  [3, 1, 'this machine,c', [1, 1, 1], [0, 0, 1]],
])('%i subscribers, %i to a process, on machines %s', (subscribers, each, receiveOn, counts, places) => {
  const spread = { subscribersPerProcess: each, namespaces: 0, sendOn: 'a', receiveOn };
  const plans = processPlans(subscribers, spread);
  expect(plans.map(({ count }) => count)).toEqual(counts);
  expect(plans.map(({ place }) => place)).toEqual(places);
  expect(plans.map(({ first }) => first)).toEqual(
    counts.map((_, index) => counts.slice(0, index).reduce((total, count) => total + count, 0)),
  );
});
