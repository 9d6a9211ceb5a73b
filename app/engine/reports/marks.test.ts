import { expect, test } from 'vitest';
import { exampleRun } from '../../testing/example-run';
import { marksOf } from './html';

const at = (second: number): string => `2026-11-20T10:00:0${second}.000Z`;

test('marks are in the order of their times: streams as they came and went, and markers', () => {
  const run = {
    ...exampleRun([]),
    notes: [
      { at: at(2), kind: 'marker' as const, text: 'cable 7 moved' },
      { at: at(1), kind: 'note' as const, text: 'a note is no mark' },
    ],
  };
  const marks = marksOf(run, [
    { at: at(1), kind: 'stream-added', text: '1 stream', details: { streams: 1 } },
    { at: at(3), kind: 'stream-removed', text: 'no stream', details: { streams: 0 } },
    { at: at(2), kind: 'host-died', text: 'the sending host died' },
  ]);
  expect(marks).toEqual([
    { kind: 'stream', wallMs: Date.parse(at(1)), streams: 1, label: '1 stream' },
    { kind: 'marker', wallMs: Date.parse(at(2)), streams: 0, label: 'cable 7 moved' },
    { kind: 'stream', wallMs: Date.parse(at(3)), streams: 0, label: 'no stream' },
  ]);
});
