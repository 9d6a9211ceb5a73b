import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { Ends } from './end-places';

vi.mock('../engine/connection', () => ({}));

function markupOf(names: string[], sendOn: string | null = null, receiveOn: string | null = null): string {
  return renderToStaticMarkup(<Ends names={names} settings={{ sendOn, receiveOn, problems: {} }} />);
}

/** Of each end, its keys; a pressed one with a star. */
function keysIn(markup: string): string[][] {
  const ends = markup.split('data-testid=').slice(1);
  return ends.map((end) =>
    [...end.matchAll(/aria-pressed="(\w+)">([^<]+)</g)].map(
      ([, is, name]) => `${name}${is === 'true' ? ' *' : ''}`,
    ),
  );
}

test('without a fleet there is nothing to choose', () => {
  expect(markupOf([])).toBe('');
});

test('this machine has both ends until another one is chosen', () => {
  const keys = ['this machine *', 'display-1', 'render-1'];
  expect(keysIn(markupOf(['display-1', 'render-1']))).toEqual([keys, keys]);
});

test('several receive in turn, which is said, and one whose agent has left stays to be seen', () => {
  const markup = markupOf(['display-1'], 'render-1', 'display-1,display-2,this machine');
  expect(keysIn(markup)).toEqual([
    ['this machine', 'display-1', 'render-1 *'],
    ['this machine *', 'display-1 *', 'display-2 *'],
  ]);
  expect(markup).toContain('display-1, display-2 and this machine receive streams in turn.');
});
