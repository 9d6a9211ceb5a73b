import { expect, test } from 'vitest';
import { visibleName, writtenLines } from './visible-name';

test.each(['a\0b', '\u001b[31mred', 'PASS \u202eLIAF', 'a\u200bb', 'two\nlines'])('%j is no name', (text) => {
  expect(() => visibleName('title', text)).toThrow('Expected a name of visible characters for title');
});

test.each(['Hall 3, Größe', 'עברית', '日本語 🎬'])('%j is one', (text) => {
  expect(visibleName('title', text)).toBe(text);
});

test('a note keeps its lines and nothing that acts', () => {
  expect(writtenLines('one\r\ntwo\tthree\rfour\0\u001b[0m \u202eLIAF')).toBe(
    'one\ntwo three\nfour\\u0000\\u001b[0m \\u202eLIAF',
  );
});
