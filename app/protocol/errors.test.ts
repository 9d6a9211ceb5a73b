import { expect, test } from 'vitest';
import {
  badInput,
  type ErrorCode,
  exitCodeOf,
  exitCodeOfVerdict,
  exitCodes,
  renameFields,
  toProblem,
  valueText,
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
  BUS_UNREACHABLE: 'environment',
  BUS_REFUSED: 'environment',
  BUS_UNTRUSTED: 'environment',
  AGENT_UNREACHABLE: 'environment',
  AGENT_SILENT: 'environment',
  LEASE_HELD: 'environment',
  LEASE_ENDED: 'environment',
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

test('a sentence repeats the beginning of a long value, and a short one whole', () => {
  const long = 'x'.repeat(10_000);
  const { message } = badInput('project', 'one line of up to 200 characters', long);
  const cut = `${'x'.repeat(200)}…`;
  expect(message).toBe(`Expected one line of up to 200 characters for project but received ${cut}`);
  expect(valueText('y'.repeat(200))).toBe('y'.repeat(200));
});

test('a value of spaces alone is named, since nobody sees it', () => {
  expect(badInput('name', 'a name', '   ').message).toBe('Expected a name for name but received only spaces');
});

test('a number out of YAML that JSON has none for is named as it is written there', () => {
  expect([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 5].map(valueText)).toEqual([
    ...['.inf', '-.inf', '.nan', '5'],
  ]);
});

test('an error of an open file too many says what to raise, in whatever words it comes', () => {
  const error = new Error(
    'The thread that watches for standstills failed: Worker initialization failure: EMFILE',
  );
  expect(toProblem(error)).toEqual({
    code: 'INTERNAL',
    message: `The limit of open files is too low (${error.message})`,
    remedy: 'Raise the limit of open files (ulimit -n)',
  });
});
