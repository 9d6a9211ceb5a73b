import { expect, test } from 'vitest';
import { changeOf, type FileState, hasPromptTimes } from './test-file-change';

const mib = 1024 * 1024;
const filled: FileState = {
  ...{ sizeBytes: 32 * mib, allocatedBytes: 32 * mib, modifiedMs: 1000 },
  ...{ places: 32, emptyPlaces: 0 },
};

function change(now: Partial<FileState>, known: Partial<FileState> = {}, isOwnWrite = false): unknown {
  return changeOf({ ...filled, ...known }, { ...filled, ...known, ...now }, isOwnWrite)?.what ?? null;
}

test.each<[string, Partial<FileState>, string | null]>([
  ['as it was', {}, null],
  ['cut and lengthened', { allocatedBytes: 0, emptyPlaces: 32, modifiedMs: 2000 }, 'allocated'],
  ['the same where a server reports what is allocated by the size', { emptyPlaces: 32 }, 'zeros'],
  ['a twentieth cut out', { allocatedBytes: 30.4 * mib }, 'allocated'],
  ['shortened', { sizeBytes: 8 * mib, allocatedBytes: 8 * mib }, 'size'],
  ['lengthened', { sizeBytes: 33 * mib }, 'size'],
  ['written to', { modifiedMs: 1000.5 }, 'written'],
  ['lists of blocks became smaller', { allocatedBytes: 32 * mib - 8192 }, null],
  ['allocated late', { allocatedBytes: 33 * mib }, null],
])('%s', (_, now, what) => {
  expect(change(now)).toBe(what);
});

test('a file system that compresses, or reports late, has less than the size from the beginning', () => {
  expect(change({}, { allocatedBytes: 9 * mib })).toBeNull();
  expect(change({ allocatedBytes: 32 * mib }, { allocatedBytes: 512 })).toBeNull();
  expect(change({ allocatedBytes: 0 }, { allocatedBytes: 9 * mib })).toBe('allocated');
});

test('what fio writes itself changes the time alone', () => {
  expect(change({ modifiedMs: 2000 }, {}, true)).toBeNull();
  expect(change({ allocatedBytes: 0 }, {}, true)).toBe('allocated');
  expect(change({ emptyPlaces: 1 }, {}, true)).toBe('zeros');
  expect(change({ sizeBytes: 0 }, {}, true)).toBe('size');
});

test('the time of a share may change late, by its server', () => {
  expect(['ext4', 'xfs', 'nfs4', 'cifs', 'fuse.sshfs', '9p', undefined].map(hasPromptTimes)).toEqual([
    ...[true, true],
    ...[false, false, false, false, false],
  ]);
});
