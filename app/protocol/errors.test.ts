import { expect, test } from 'vitest';
import { badInput, renameFields, toProblem } from './errors';

const flags: Record<string, string> = { maxStreams: '--max-streams', sizes: '--sizes' };
const nameOf = (field: string): string | undefined => flags[field];

test('a field is called by the other name in its sentence and its remedy, and in those of further fields', () => {
  const item = toProblem(badInput('sizes.0', 'a whole number', 'x', 'sizes: Of messages, bytes'));
  const first = toProblem(badInput('maxStreams', 'a whole number', 'many', 'maxStreams: Most streams'));
  const renamed = renameFields({ ...first, others: [item] }, nameOf);
  expect(renamed).toMatchObject({
    message: 'Expected a whole number for --max-streams but received many',
    remedy: '--max-streams: Most streams',
    field: 'maxStreams',
  });
  expect(renamed.others).toMatchObject([
    {
      message: 'Expected a whole number for --sizes but received x',
      remedy: '--sizes: Of messages, bytes',
    },
  ]);
});

test('what was typed stays as it was, and so does a field without another name', () => {
  const typed = 'a for maxStreams but received b';
  expect(renameFields(toProblem(badInput('maxStreams', 'a whole number', typed)), nameOf).message).toBe(
    `Expected a whole number for --max-streams but received ${typed}`,
  );
  const other = toProblem(badInput('name', 'a text', typed));
  expect(renameFields(other, nameOf)).toEqual(other);
});
