import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CleanLengths } from './clean-time';

const shown = (nowMs: number | null, longestMs: number) =>
  renderToStaticMarkup(<CleanLengths nowMs={nowMs} longestMs={longestMs} />).replace(/<[^>]+>/g, '|');

test('both times are whole seconds that went by', () => {
  expect(shown(59_900, 7_384_999)).toContain('now |59 s||');
  expect(shown(59_900, 7_384_999)).toContain('longest |2 h 03 min||');
  expect(shown(0, 250)).toContain('now |0 s||');
});

test('of a run that is over there is only the longest', () => {
  expect(shown(null, 60_000)).not.toContain('now');
  expect(shown(null, 60_000)).toContain('longest |1 min 00 s||');
});
