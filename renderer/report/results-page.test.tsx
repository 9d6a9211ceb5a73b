import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { exampleRun } from '../../app/testing/example-run';
import { rowOf } from '../testing/fixtures';
import { Results } from './sections';

test('a page of a long run has its rows alone, and the columns that all rows fill', () => {
  const rows = Array.from({ length: 7 }, (_, index) =>
    rowOf(index, index === 6 ? { figures: { framesSpoilt: 3 } } : {}),
  );
  const run = { ...exampleRun([]), rows };
  const shownOf = (page?: { offset: number; pageSize: number }) => {
    const markup = renderToStaticMarkup(<Results run={run} page={page} onOpen={() => undefined} />);
    const [table = ''] = markup.split('</table>');
    expect(table).toContain('Spoilt');
    return [...table.matchAll(/<tr data-row="(\d+)"/g)].map(([, row]) => Number(row));
  };
  expect(shownOf()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(shownOf({ offset: 0, pageSize: 3 })).toEqual([0, 1, 2]);
  expect(shownOf({ offset: 6, pageSize: 3 })).toEqual([6]);
});
