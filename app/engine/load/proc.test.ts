import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { readProc, readProcNumber } from './proc';

const folder = temporaryFolder();

function file(text: string): string {
  const path = join(folder, 'file');
  writeFileSync(path, text);
  return path;
}

test('a file comes whole, however long it is', () => {
  const text = 'intr 0 1 2 3\n'.repeat(20_000);
  expect(readProc(file(text))).toBe(text);
  expect(readProc(file('short\n'))).toBe('short\n');
  expect(readProc(file(''))).toBe('');
});

test('a file of the kernel comes whole', () => {
  expect(readProc('/proc/self/comm')?.trim()).not.toBe('');
  expect(readProc('/proc/net/dev')).toMatch(/^Inter-.* lo:.*\n$/s);
});

test('a file that is not there, or cannot be read, is null', () => {
  for (const path of [join(folder, 'absent'), folder]) {
    expect(readProc(path)).toBeNull();
    expect(readProcNumber(path)).toBeNull();
  }
});

test.each([
  ['3176812968903 45620 1\n', 3_176_812_968_903],
  ['0 0 0\n', 0],
  ['9007199254740991', 9_007_199_254_740_991],
  ['12x', 12],
  ['', null],
  [' 1', null],
  ['-1', null],
])('the number in front of “%s”', (text, value) => {
  expect(readProcNumber(file(text))).toBe(value);
});
