import { expect, test } from 'vitest';
import { parseSenderName } from './shared-name';

test('a sender’s name is read as it was written', () => {
  expect(parseSenderName('<whiteline_sender name="564d202841203129"/>')).toBe('564d202841203129');
});

test.each([
  '',
  '<whiteline_sender name=""/>',
  '<whiteline_sender name="5"/>',
  '<whiteline_sender name="5G"/>',
  '<whiteline_sender name="4F"/>',
  `<whiteline_sender name="${'00'.repeat(2049)}"/>`,
  '<whiteline_sender name="56"/><a/>',
  '<whiteline_receiver/>',
])('foreign text is none: %s', (xml) => {
  expect(parseSenderName(xml)).toBeNull();
});
