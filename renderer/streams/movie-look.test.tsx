import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { MachineMovie } from '../engine/source-settings';
import { Look } from './source-panel';

vi.mock('../engine/connection', () => ({}));

const markupOf = (look?: MachineMovie['look']) =>
  renderToStaticMarkup(<Look movie={{ machine: 'render-1', name: 'a.mov', ...(look && { look }) }} />);

const picture = {
  ...({ kind: 'movie', width: 1920, height: 1080, pixelFormat: 'uyvy' } as const),
  ...{ rateNumerator: 60_000, rateDenominator: 1001 },
};

test('what an agent says of a movie stands below its name: its picture, how it is played, or why it is not', () => {
  expect(markupOf()).toBe('');
  const movie = { codec: 'h264', durationSeconds: 90 };
  const good = markupOf({ picture, remarks: ['turned by 90°'], movie });
  expect(good).toContain('1920×1080 @ 59.94 · h264 · 1 min 30 s');
  const endless = markupOf({ picture, remarks: [], movie: { ...movie, durationSeconds: null } });
  expect(endless).toContain('h264 · length not known');
  expect(good).toContain('turned by 90°');
  expect(markupOf({ code: 'NOT_FOUND', message: 'render-1 has no movie a.mov' })).toContain(
    'render-1 has no movie a.mov',
  );
});
