import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { captureLogFile, makeLogFolder } from './capture-log';

test('a log is made where none is, and goes on where its receiver is opened again', () => {
  const folder = join(temporaryFolder(), 'run');
  makeLogFolder(folder);
  const path = captureLogFile(folder, 2) ?? '';
  expect(path).toBe(join(folder, 'captured-2.log'));
  writeFileSync(path, 'a line\n');
  expect(captureLogFile(folder, 2)).toBe(path);
  expect(readFileSync(path, 'utf8')).toBe('a line\n');
  expect(captureLogFile(undefined, 2)).toBeUndefined();
});

test('no log is written through a link or into a pipe', () => {
  const folder = temporaryFolder();
  const victim = join(temporaryFolder(), 'victim');
  symlinkSync(victim, join(folder, 'captured-1.log'));
  expect(() => captureLogFile(folder, 1)).toThrow(/captured-1\.log cannot be written \(it is a link/);
  expect(existsSync(victim)).toBe(false);
  execFileSync('mkfifo', [join(folder, 'captured-3.log')]);
  expect(() => captureLogFile(folder, 3)).toThrow(/captured-3\.log cannot be written \(it is a pipe/);
});

test('a folder with logs of another run is refused', () => {
  const folder = temporaryFolder();
  symlinkSync('elsewhere', join(folder, 'captured-1.log'));
  expect(() => makeLogFolder(folder)).toThrow(/Expected a folder without captured-1\.log in it for out/);
});
