import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { streamView } from '../testing/fixtures';
import { barPixels } from './loss-line';
import { meterShare, StreamPicture } from './stream-picture';
import { StreamRow } from './stream-row';
import { StreamTile } from './stream-tile';

vi.mock('../engine/connection', () => ({ previews: { attach: () => () => undefined } }));

const stalled = streamView(3, { state: 'stalled', verdict: 'FAIL', lostTotal: 4, framesInOutages: 362 });

test.each([
  ['a row', StreamRow],
  ['a tile', StreamTile],
] as const)('%s has name, lost frames as an estimate, and the state in a word', (_, View) => {
  const markup = renderToStaticMarkup(<View stream={stalled} canRemove isEnded={false} />);
  expect(markup).toContain('Whiteline 3');
  expect(markup).toContain('≈ 366');
  expect(markup).toContain('Stalled');
  expect(markup).toContain('aria-label="Remove stream 3"');
  const ended = renderToStaticMarkup(<View stream={stalled} canRemove={false} isEnded />);
  expect(ended).toContain('ended-strip');
  expect(ended).not.toMatch(/Remove stream|Stalled/);
});

test('a tile says what was not sent only where there is any', () => {
  const markupOf = (framesSenderMissed: number | null) =>
    renderToStaticMarkup(<StreamTile stream={streamView(1, { framesSenderMissed })} canRemove />);
  expect(markupOf(0)).not.toContain('not sent');
  expect(markupOf(null)).not.toContain('not sent');
  expect(markupOf(12)).toContain('12 not sent');
});

test('a picture has a meter of its sound, or says that there is none', () => {
  const markupOf = (audioPeakDbfs: number | null) =>
    renderToStaticMarkup(
      <StreamPicture stream={streamView(1, { audioPeakDbfs })} canRemove mostWidth={480} />,
    );
  expect(markupOf(null)).toContain('no sound');
  expect(markupOf(null)).not.toContain('<meter');
  expect(markupOf(-20)).toMatch(/<meter[^>]*min="-60"[^>]*max="0"[^>]*value="-20"/);
  expect(markupOf(-120)).toMatch(/>−120 dBFS<\/span>/);
  expect(markupOf(-120)).not.toMatch(/[> ]-120/);
});

test('a meter shows from −60 dBFS to full scale', () => {
  expect([-120, -60, -30, 0, 6].map(meterShare)).toEqual([0, 0, 0.5, 1, 1]);
});

test('one lost frame is seen beside a second without any picture', () => {
  expect(barPixels(0, 60, 40)).toBe(0);
  expect(barPixels(1, 60, 40)).toBe(5);
  expect(barPixels(15, 60, 40)).toBe(20);
  expect(barPixels(600, 60, 40)).toBe(40);
  expect(barPixels(1, 0, 40)).toBe(40);
});
