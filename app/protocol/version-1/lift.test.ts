import { expect, test } from 'vitest';
import { exampleRow, flatExampleRow } from '../../testing/example-run';
import { lifted } from '../../testing/lifted';
import { tableRowSchema } from './row';

test('of a table row what was set is its step, and what was measured its figures', () => {
  const set = { 'ddsFanOut.case': 'unicast reliable', 'ddsFanOut.subscribers': 4 };
  const measured = { 'ddsFanOut.medianMbps': 21.5, 'ddsFanOut.limit': 'link' };
  const row = tableRowSchema.parse({
    ...{ kind: 'table', row: 3, label: '4 subscribers', measuredSeconds: 10, details: {} },
    ...{ startedAt: '2026-11-20T10:00:00.000Z', endedAt: '2026-11-20T10:00:10.000Z' },
    ...{ verdict: 'PASS', reason: 'all came', notMeasured: { 'ddsFanOut.p90Mbps': 'too few' } },
    values: { ...set, ...measured },
  });
  expect(lifted([row], 'fan-out')).toEqual([
    expect.objectContaining({
      ...{ index: 3, label: '4 subscribers', verdict: 'PASS', subjects: [] },
      ...{ step: set, figures: { measuredSeconds: 10, ...measured } },
      notMeasured: { 'ddsFanOut.p90Mbps': 'too few' },
    }),
  ]);
});

test('a row of streams is lifted to what is recorded now, but for its words', () => {
  const row = exampleRow(1);
  const [again] = lifted([flatExampleRow(1)]);
  expect(again?.step).toEqual(row.step);
  const [stream, before] = [again?.subjects[0], row.subjects[0]];
  for (const figure of ['firstFrame', 'lastFrame', 'conserved', 'framesDropped', 'latencyMs.p99'])
    expect(stream?.figures[figure], figure).toEqual(before?.figures[figure]);
  expect(before?.figures.lastFrame).toEqual(expect.any(Number));
  expect(again?.figures.framesDropped).toEqual(row.figures.framesDropped);
  expect(Object.values(again?.load ?? {}).map((load) => Object.keys(load))).toEqual([
    ['sender', 'receiver', 'instrument'],
  ]);
});
