import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { MovieList } from '../../app/protocol/fleet/movie-list';
import { MovieNames } from './movies-sheet';

vi.mock('../engine/connection', () => ({}));

function markupOf(list: Partial<MovieList>): string {
  const whole = { hasFolders: true, names: [], more: 0, isWhole: true, ...list };
  return renderToStaticMarkup(<MovieNames machine="render-1" list={whole} onChoose={() => undefined} />);
}

test('each movie is a key by its name, and what is not named is said', () => {
  const markup = markupOf({ names: ['a.mov', 'show/b.mov'], more: 1200, isWhole: false });
  expect(markup).toContain('aria-label="show/b.mov on render-1"');
  expect(markup).toContain('And 1,200 more, which are not listed.');
  expect(markup).toContain('There may be more: not all folders could be read.');
  expect(markup).not.toContain('<input');
});

test('many movies can be searched', () => {
  expect(markupOf({ names: Array.from({ length: 9 }, (_, index) => `${index}.mov`) })).toContain('9 of 9');
});

test('an agent without folders, or with empty ones, says so; without folders with the remedy', () => {
  expect(markupOf({ hasFolders: false })).toContain(
    'render-1 offers no movie: start its agent with the folder of its movies, as in whiteline agent JOINFILE --media FOLDER.',
  );
  expect(markupOf({})).toContain('The media folders of render-1 contain no movie.');
});
