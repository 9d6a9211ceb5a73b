import { expect, test } from 'vitest';
import type { StorageOperation, StorageTest } from './declaration';
import { blockBytesOf, passArguments } from './fio';
import type { TestFile } from './test-file';

test.each<[StorageTest, StorageOperation, string[], blockBytes: number]>([
  ['SEQ1M-Q8T1', 'read', ['--rw=read', '--bs=1024k', '--iodepth=8', '--numjobs=1'], 1_048_576],
  ['SEQ1M-Q1T1', 'write', ['--rw=write', '--bs=1024k', '--iodepth=1', '--numjobs=1'], 1_048_576],
  ['RND4K-Q32T16', 'read', ['--rw=randread', '--bs=4k', '--iodepth=32', '--numjobs=16'], 4096],
  ['RND4K-Q1T1', 'write', ['--rw=randwrite', '--bs=4k', '--iodepth=1', '--numjobs=1'], 4096],
])('fio is asked for %s, %s', (name, operation, pattern, blockBytes) => {
  const file: TestFile = { descriptor: 3, direct: true };
  const args = passArguments(name, operation, file, { sizeMib: 64, holdSeconds: 2.5 });
  expect(args).toEqual(
    expect.arrayContaining([...pattern, '--size=64m', '--direct=1', '--time_based', '--runtime=2500ms']),
  );
  expect(
    passArguments(name, operation, { ...file, direct: false }, { sizeMib: 1, holdSeconds: 1 }),
  ).toContain('--direct=0');
  expect(blockBytesOf(name)).toBe(blockBytes);
});
