import { expect, test } from 'vitest';
import { plainJson, plainLine, plainPageText, plainSentences } from './plain-text';

/** Of C0, DEL, C1, and all that turn the order of a text. */
const acting = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index),
  ...[0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
  ...[0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => String.fromCharCode(code));

test('what acts on a terminal is shown as its code', () => {
  expect(plainLine('\u001b[31mred\u0007\n\u202egnp')).toBe('\\u001b[31mred\\u0007\\u000a\\u202egnp');
  for (const character of acting) expect(plainLine(`a${character}b`)).toMatch(/^a\\u[0-9a-f]{4}b$/);
});

test('sentences of several lines are one line, with a space for each end', () => {
  expect(plainSentences(' NDI is missing.\r\n\n  Tried:\n\t/opt/a\n\u001b[31mred\n')).toBe(
    'NDI is missing. Tried: /opt/a \\u001b[31mred',
  );
  for (const character of acting) expect(plainSentences(`a${character}b`)).toMatch(/^a( |\\u[0-9a-f]{4})b$/);
});

test('half a character is shown as its code', () => {
  expect(plainLine('a\ud83cb')).toBe('a\\ud83cb');
});

test('all else stays as it is', () => {
  const text = 'Grüße, “1920×1080” – 日本語 עברית 🎬 \\n';
  expect(plainLine(text)).toBe(text);
});

test('JSON stays what it says', () => {
  const value = { [acting.join('')]: acting, 'Größe 🎬': 'a\\b' };
  const text = plainJson(value);
  expect(JSON.parse(text)).toEqual(value);
  for (const character of acting) expect(text).not.toContain(character);
});

test('on a page lines stay lines, and nothing is turned', () => {
  expect(plainPageText('PASS\n\u202eLIAF\u202c \u2066x\u2069 \u200fעברית')).toBe(
    'PASS\n\\u202eLIAF\\u202c \\u2066x\\u2069 \u200fעברית',
  );
});
