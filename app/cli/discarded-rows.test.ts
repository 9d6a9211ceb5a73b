import { expect, test } from 'vitest';
import { streamView } from '../../renderer/testing/fixtures';
import { replacedLabel } from '../facts/row-labels';
import { exampleRow } from '../testing/example-run';
import { DiscardedRows } from './discarded-rows';
import { figureParts } from './run-status';

const [example] = exampleRow(1).subjects;
if (!example) throw new Error('the example has no stream');

const rowOf = (label: string, id: string) => ({
  label,
  subjects: [{ ...example, id, figures: { ...example.figures, framesDropped: 3, framesSenderMissed: 2 } }],
});
const view = streamView(1, {
  ...{ lostTotal: 4, framesSenderMissed: 2, framesInOutages: null, deliveredFps: 60 },
});
const shown = (rows: DiscardedRows): string[] => figureParts(rows.without([view])).slice(0, 2);

test('what a row lost that is measured again is nothing that was lost so far', () => {
  const rows = new DiscardedRows();
  expect(shown(rows)).toEqual(['lost 4', 'missed 2']);
  rows.add(rowOf('', '1'));
  rows.add(rowOf('repeat 1 of at most 3', '1'));
  rows.add(rowOf(replacedLabel(2), '2'));
  expect(shown(rows)).toEqual(['lost 4', 'missed 2']);
  rows.add(rowOf(replacedLabel(2), '1'));
  expect(shown(rows)).toEqual(['lost 1', '']);
});

test('of a sender without our code that is what was missing', () => {
  const rows = new DiscardedRows();
  const figures = { ...example.figures, framesMissing: 3, framesSenderMissed: 2 };
  for (const id of ['framesDropped', 'framesUndecodable', 'framesTorn'] as const) figures[id] = null;
  rows.add({ label: replacedLabel(2), subjects: [{ ...example, id: '1', figures }] });
  expect(shown(rows)).toEqual(['lost 1', '']);
});

test('a stream that began anew has nothing to take away, and what was not measured stays so', () => {
  const rows = new DiscardedRows();
  rows.add(rowOf(replacedLabel(2), '1'));
  const [anew, unknown] = rows.without([
    { ...view, lostTotal: 1 },
    { ...view, lostTotal: null },
  ]);
  expect([anew?.lostTotal, unknown?.lostTotal]).toEqual([0, null]);
});
