import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { makeFolder } from './make-folder';

const root = temporaryFolder();

test('folders above are made too, and one that is there is kept', () => {
  const deep = join(root, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  makeFolder('/');
  expect(statSync(deep).isDirectory()).toBe(true);
});

test('a file in the way is an error', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow(/EEXIST/);
  expect(() => makeFolder(join(file, 'x', 'y'))).toThrow(/ENOTDIR/);
});

test.runIf(process.platform === 'linux')('a place where the system makes no folder ends it at once', () => {
  for (const path of ['/proc/x', '/proc/x/y']) expect(() => makeFolder(path)).toThrow(/ENOENT/);
});
