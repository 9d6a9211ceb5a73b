import { expect, test } from 'vitest';
import { wordsOf } from '../../../facts/reason-words';
import { defaultThresholds } from '../../../protocol/thresholds';
import { rowInput } from '../../../testing/example-run';
import { foreign, fromTo, measured, sent } from '../../../testing/measured-streams';
import type { RangeCounts } from '../counting/range-counts';
import { codedContradictions, foreignContradictions, trafficContradictions } from './contradictions';
import { buildRow } from './row-builder';

function clean(): RangeCounts {
  const { counts } = measured([100]);
  if (!counts) throw new Error('It was counted');
  return counts;
}

function said(change: (counts: RangeCounts) => void): string {
  const counts = clean();
  change(counts);
  return wordsOf(codedContradictions(counts, 60, defaultThresholds));
}

test('counts that can be true do not contradict each other', () => {
  expect(said(() => undefined)).toBe('');
  const counts = foreign({}).foreign?.counts;
  expect(counts && foreignContradictions(counts)).toEqual([]);
});

test.each<[string, (counts: RangeCounts) => void, RegExp]>([
  [
    'more slots than the row has',
    ({ tally }) => (tally.submitted += 2),
    /slots.*122 submitted or missed, 120 slots in the row/,
  ],
  [
    'more lost than were submitted',
    ({ tally }) => (tally.dropped = 500),
    /lost frames.*500 lost, 120 submitted/,
  ],
  [
    'more lost in a second than are due',
    ({ tally }) => {
      for (let index = 0; index < 180; index++) tally.visit(110, 0, 0, 1);
    },
    /181 lost in a second, 60 frames due in 1 s/,
  ],
  [
    'more of the queue than was dropped',
    (counts) => (counts.droppedReceiverQueue = 3),
    /3 in the receiver’s queue, 1 dropped/,
  ],
  [
    'more received than captured',
    (counts) => (counts.captured = 80),
    /119 frames received, 80 pictures captured/,
  ],
  ['more late than submitted', ({ tally }) => (tally.lateSource = 121), /121 late, 120 submitted/],
])('%s', (_, change, words) => {
  expect(said(change)).toMatch(words);
});

test('V23: more traffic of our own than raw pictures have is a contradiction', () => {
  // 640×360 at 60 frames a second, four bytes a pixel: 442 Mb/s.
  expect(trafficContradictions(460, [measured()])).toEqual([]);
  expect(trafficContradictions(null, [measured()])).toEqual([]);
  expect(wordsOf(trafficContradictions(1100, [measured(), measured()]))).toMatch(
    /1100 Mb\/s of our own sockets, 884.736 Mb\/s of raw pictures/,
  );
});

test('of a sender whose receivers are elsewhere it is not known how often each picture was sent', () => {
  expect(trafficContradictions(9000, [sent()])).toEqual([]);
});

test('a row with a contradiction is INVALID, whichever stream has it, and its reason gives both values', () => {
  const wrong = measured();
  if (wrong.counts) wrong.counts.captured = 80;
  const row = buildRow(rowInput({ ...fromTo, streams: [measured(), wrong] }));
  expect(row.verdict).toBe('INVALID');
  expect(wordsOf(row.reason)).toContain('120 frames received, 80 pictures captured');
  const beside = measured();
  if (beside.counts) beside.counts.captured = 80;
  const failed = buildRow(rowInput({ ...fromTo, streams: [measured([100, 101, 102]), beside] }));
  expect(failed.verdict).toBe('FAIL');
  expect(wordsOf(failed.reason)).toContain('120 frames received, 80 pictures captured');
});
