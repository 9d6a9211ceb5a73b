import { expect, test } from 'vitest';
import { withoutProcessNumbers } from './process-numbers';

test.each([
  ['close node (process 16846, 4.1 % of the CPU)', 'close node (a process, 4.1 % of the CPU)'],
  [
    'close node (processes 16846, 21058, 4.1 % of the CPU)',
    'close node (several processes, 4.1 % of the CPU)',
  ],
  ['processes 16846, 21058, 4 %', 'several processes, 4 %'],
  ['fio: pid=7, err=28', 'fio: pid=…, err=28'],
  ['processes 1, 2, 3, 4 and 5 more, 4.1 %', 'several processes, 4.1 %'],
  ['/proc/77/stat and /proc/78 are not readable', '/proc/…/stat and /proc/… are not readable'],
  ['the subprocess 7 and 3 processes', 'the subprocess 7 and 3 processes'],
])('%s', (text, words) => {
  expect(withoutProcessNumbers(text)).toBe(words);
  const json = JSON.stringify({ text: `a\n${text}` });
  expect(JSON.parse(withoutProcessNumbers(json))).toEqual({ text: `a\n${words}` });
});
