import { expect, test } from 'vitest';
import { exitCodeOf } from '../protocol/errors';
import { lastWords, problemOf, senderProblemOf } from './problem';

const thrown = (code: string, message: string): Error => Object.assign(new Error(message), { code });

test('a sender for which no file may be opened any more is no name in use', () => {
  const exhausted = thrown('FILES_EXHAUSTED', 'This process may open 3 more files, and 16 may be needed');
  for (const problem of [problemOf(exhausted), senderProblemOf(exhausted, 'Whiteline 3')]) {
    expect(problem).toMatchObject({
      ...{ code: 'REQUIREMENT_MISSING', message: exhausted.message },
      remedy: 'Allow more open files (ulimit -n), or ask for fewer streams',
    });
    expect(exitCodeOf(problem)).toBe(3);
  }
  const refused = thrown('NDI_FAILED', 'The NDI library refused to make a sender named Whiteline 3');
  expect(senderProblemOf(refused, 'Whiteline 3')).toMatchObject({
    ...{ code: 'NAME_IN_USE', field: 'name', value: 'Whiteline 3' },
  });
});

test('a process that an error ends says what to do, or where the fault of ours is', () => {
  expect(lastWords(thrown('FILES_EXHAUSTED', 'This process may open 3 more files'))).toBe(
    'whiteline: a stream process ends: This process may open 3 more files. Allow more open files (ulimit -n), or ask for fewer streams',
  );
  expect(lastWords(new TypeError('x is undefined'))).toMatch(/^TypeError: x is undefined\n +at /);
});
