import { expect, test } from 'vitest';
import { viewOf } from '../metrics/facts.fixture';
import { type CountedRow, SentViews } from './sent-views';

function rowOf(framesSubmitted: number | null, framesSenderMissed: number | null): CountedRow {
  const figures = { framesSubmitted, framesSenderMissed, framesLateSource: null };
  return { subjects: [{ name: 'Whiteline 1', figures }] };
}

test('views have what closed rows and the open one count; a row that is closing takes nothing back', () => {
  const sent = new SentViews();
  const counts = (open: CountedRow | null) => {
    const [view] = sent.views([viewOf({})], open);
    return [view?.framesSubmitted, view?.framesSenderMissed, view?.framesLateSource];
  };
  expect(counts(null)).toEqual([null, null, null]);
  expect(counts(rowOf(30, 0))).toEqual([30, 0, null]);
  expect(counts(null)).toEqual([30, 0, null]);
  sent.row(rowOf(300, 2));
  expect(counts(null)).toEqual([300, 2, null]);
  expect(counts(rowOf(10, 1))).toEqual([310, 3, null]);
  sent.row(rowOf(null, null));
  expect(counts(rowOf(12, 1))).toEqual([312, 3, null]);
});
