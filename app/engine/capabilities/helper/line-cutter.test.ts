import { expect, test } from 'vitest';
import { LineCutter, LineTooLong } from './line-cutter';

function linesOf(cutter: LineCutter, ...pieces: string[]): string[] {
  return pieces.flatMap((piece) => [...cutter.cut(Buffer.from(piece))].map((line) => line.toString()));
}

test('lines are whole however they come', () => {
  const text = 'one\n\ntwo é three\nfour';
  for (let size = 1; size <= text.length; size += 1) {
    const cutter = new LineCutter(100);
    const bytes = Buffer.from(text);
    const lines: string[] = [];
    for (let from = 0; from < bytes.length; from += size)
      for (const line of cutter.cut(bytes.subarray(from, from + size))) lines.push(line.toString());
    expect(lines).toEqual(['one', '', 'two é three']);
    expect(cutter.openBytes).toBe(4);
  }
});

test('a line stays what it was when the next ones come', () => {
  const cutter = new LineCutter(100);
  const [first] = cutter.cut(Buffer.from('first\n'));
  linesOf(cutter, 'second\n');
  expect(first?.toString()).toBe('first');
});

test('a line may have so many bytes and no more, and those before it are given', () => {
  expect(linesOf(new LineCutter(5), '12', '345\n', '12345\n')).toEqual(['12345', '12345']);
  const cutter = new LineCutter(5);
  const lines = cutter.cut(Buffer.from('one\n123456'));
  expect(lines.next().value?.toString()).toBe('one');
  expect(() => lines.next()).toThrow(LineTooLong);
  expect(() => linesOf(new LineCutter(5), '12345', '6')).toThrow(LineTooLong);
});
