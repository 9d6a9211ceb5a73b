import { expect, test } from 'vitest';
import {
  badInput,
  type ErrorCode,
  exitCodeOf,
  exitCodeOfVerdict,
  exitCodes,
  renameFields,
  toProblem,
} from './errors';

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

const codes: Record<ErrorCode, keyof typeof exitCodes> = {
  BAD_INPUT: 'badInput',
  NOT_FOUND: 'badInput',
  NAME_IN_USE: 'badInput',
  MOVIE_UNREADABLE: 'badInput',
  ABORTED: 'aborted',
  NDI_MISSING: 'environment',
  TOOL_MISSING: 'environment',
  TOOL_FAILED: 'environment',
  REQUIREMENT_MISSING: 'environment',
  OUTPUT_UNWRITABLE: 'environment',
  DISK_FULL: 'environment',
  HOST_DIED: 'environment',
  HOST_SILENT: 'environment',
  NO_VIDEO: 'environment',
  INTERNAL: 'environment',
};

test.each(Object.entries(codes))('%s ends with the code of %s: no problem is a FAIL', (code, name) => {
  expect(exitCodeOf({ code: code as ErrorCode, message: '' })).toBe(exitCodes[name]);
});

test.each([
  ['PASS', 'pass'],
  ['WARN', 'pass'],
  ['FAIL', 'fail'],
  ['INVALID', 'invalid'],
  [null, 'invalid'],
] as const)('a run with the verdict %s ends with the code of %s', (verdict, name) => {
  expect(exitCodeOfVerdict(verdict)).toBe(exitCodes[name]);
});
