import { expect, test } from 'vitest';
import { z } from 'zod';
import { lineOf, NoMessage, readMessage } from './messages';

const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('packet'), atNs: z.number() }),
  z.object({ type: z.literal('end') }),
]);
const read = (text: string) => readMessage(Buffer.from(text), schema);

test('a message is what its schema says, a heartbeat is none', () => {
  expect(read('{"type":"packet","atNs":12,"more":1}')).toEqual({ type: 'packet', atNs: 12 });
  expect(read('{"type":"end"}\r')).toEqual({ type: 'end' });
  expect(read('{"type":"heartbeat"}')).toBeNull();
});

test.each([
  ['nothing', '', 'a line that is no JSON: (empty)'],
  ['half an object', '{', 'a line that is no JSON: {'],
  ['a list', '[]', 'a line without a type: []'],
  ['null', 'null', 'a line without a type: null'],
  ['a type that is no text', '{"type":1}', 'a line without a type: {"type":1}'],
  ['a missing field', '{"type":"packet"}', 'a message "packet" that was not agreed upon (atNs: '],
  ['a wrong field', '{"type":"packet","atNs":"now"}', 'a message "packet" that was not agreed upon (atNs: '],
  ['an unknown type', '{"type":"ready"}', 'a message "ready" that was not agreed upon (type: '],
  ['a deep list', '['.repeat(100_000), 'a line that is no JSON: [[['],
])('%s is refused', (_, text, message) => {
  expect(() => read(text)).toThrow(NoMessage);
  expect(() => read(text)).toThrow(message);
});

test('what is shown of a line is short', () => {
  const error = (() => {
    try {
      return read('x'.repeat(1_000_000));
    } catch (problem) {
      return problem;
    }
  })();
  expect(error).toBeInstanceOf(NoMessage);
  expect((error as NoMessage).message.length).toBeLessThan(200);
});

test('a command goes out as one line, and not where it fits no schema', () => {
  expect(lineOf({ type: 'packet', atNs: 1 }, schema)).toBe('{"type":"packet","atNs":1}\n');
  expect(() => lineOf({ type: 'packet', atNs: Number.NaN }, schema)).toThrow(z.ZodError);
});
