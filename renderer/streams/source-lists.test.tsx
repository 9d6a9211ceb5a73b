import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { FoundSource } from '../engine/live-sources';
import { SourceLists } from './source-lists';

function source(name: string, given: Partial<FoundSource> = {}): FoundSource {
  return { name, addresses: ['192.0.2.7:5961'], sender: 'other', format: null, isListed: true, ...given };
}

const shown = (...found: FoundSource[]) =>
  renderToStaticMarkup(<SourceLists found={found} chosen={null} streams={[{ ndiName: 'PC (b)' }]} />);

test('size, rate and kind stand with each source, and what is unknown says so', () => {
  const format = { width: 1920, height: 1080, framesPerSecond: 60000 / 1001 };
  const page = shown(
    source('PC (a)'),
    source('PC (b)', { format, sender: 'whiteline' }),
    source('PC (Whiteline 1)', { sender: 'whiteline' }),
    source('PC (c)', { format: { ...format, framesPerSecond: 50 } }),
  );
  expect(page).toContain('>size and rate unknown<');
  expect(page).toContain('1920×1080 @ 59.94 · Whiteline · followed');
  expect(page).toContain('size and rate unknown · Whiteline by its name');
  expect(page).toContain('1920×1080 @ 50 · other sender');
  expect(page).not.toContain('No longer announced');
});

test('what is no longer announced stands apart, each with a button to forget it, several with one for all', () => {
  const one = shown(source('PC (a)'), source('PC (b)', { isListed: false }));
  expect(one.indexOf('No longer announced')).toBeGreaterThan(one.indexOf('>a<'));
  expect(one).toContain('aria-label="Forget PC (b)"');
  expect(one).not.toContain('aria-label="Forget PC (a)"');
  expect(one).not.toContain('Forget all');
  const two = shown(source('PC (a)', { isListed: false }), source('PC (b)', { isListed: false }));
  expect(two).toContain('Forget all');
});

test('an address that was typed says so, and can be forgotten', () => {
  const page = shown(source('192.0.2.7:5961', { isTyped: true }));
  expect(page).toContain('typed by you');
  expect(page).toContain('aria-label="Forget 192.0.2.7:5961"');
});

test('a search field stands above many', () => {
  const many = Array.from({ length: 9 }, (_, number) => source(`PC (${number})`));
  expect(shown(...many)).toContain('Find');
  expect(shown(...many.slice(1))).not.toContain('Find');
});
