import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { rowOf } from '../testing/fixtures';
import { RunTable } from './run-table';

test('only a FAIL row in which the sender missed frames is marked red, not an INVALID one', () => {
  const rows = (['FAIL', 'INVALID'] as const).map((verdict, index) =>
    rowOf(index + 1, { verdict, figures: { senderMissed: true, framesSenderMissed: 21 } }),
  );
  const lines = renderToStaticMarkup(<RunTable rows={rows} columns={[]} lead="Streams" caption="" />)
    .split('<tr')
    .filter((line) => line.includes('data-row='));
  expect(lines.map((line) => line.includes('data-sender-missed'))).toEqual([true, false]);
  expect(lines.map((line) => line.includes('At the sender:'))).toEqual([true, false]);
  // The line may break behind it: the space is of the words that follow.
  expect(lines[0]).toMatch(/At the sender:<\/b> /);
});

test('rows of streams have their number, by which the other tables and charts call them', () => {
  const rows = [rowOf(1), rowOf(1), rowOf(2)].map((row, index) => ({ ...row, index }));
  const html = renderToStaticMarkup(<RunTable rows={rows} columns={[]} lead="Streams" caption="" />);
  expect(html).toMatch(/<thead><tr><th[^>]*>Row<\/th><th[^>]*>Streams<\/th>/);
  expect(
    [...html.matchAll(/<td class="[^"]*number[^"]*">(\d+)<\/td><th/g)].map(([, number]) => number),
  ).toEqual(['0', '1', '2']);
});
