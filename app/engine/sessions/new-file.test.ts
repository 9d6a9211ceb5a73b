import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { writeNewFile } from './new-file';
import { runFiles } from './run-files';

const root = temporaryFolder();
let folders = 0;

function freshFolder(): string {
  const folder = join(root, `${++folders}`);
  mkdirSync(folder);
  return folder;
}

test('a new file is written whole, and nothing else is left', () => {
  const folder = freshFolder();
  writeNewFile(join(folder, 'a'), 'text', 'keep');
  writeNewFile(join(folder, 'b'), Buffer.from('bytes'), 'replace');
  expect(readdirSync(folder)).toEqual(['a', 'b']);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('text');
  expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('bytes');
});

test.each(['keep', 'replace'] as const)('%s: no link is followed, whole or dangling', (existing) => {
  const folder = freshFolder();
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, join(folder, 'link'));
  symlinkSync(join(folder, 'absent'), join(folder, 'dangling'));
  for (const name of ['link', 'dangling']) {
    const write = (): void => writeNewFile(join(folder, name), 'new', existing);
    if (existing === 'keep') expect(write).toThrow(/exists already/);
    else write();
  }
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readdirSync(folder)).toEqual(['dangling', 'link', 'victim']);
});

test.runIf(process.platform !== 'win32').each(['keep', 'replace'] as const)(
  '%s: a pipe, a device and a folder are refused at once',
  (existing) => {
    const folder = freshFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const path of [join(folder, 'pipe'), '/dev/null', folder])
      expect(() => writeNewFile(path, 'new', existing)).toThrow(
        expect.objectContaining({ code: 'BAD_INPUT', message: `${path} is no file` }),
      );
  },
);

test('records of a run are never written over', () => {
  const folder = freshFolder();
  for (const name of Object.values(runFiles)) writeFileSync(join(folder, name), 'old');
  for (const name of [runFiles.rows, runFiles.samples, runFiles.events])
    expect(() => writeNewFile(join(folder, name), 'new', 'replace')).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', message: `${join(folder, name)} is a record of a run` }),
    );
  writeNewFile(join(folder, runFiles.run), 'new', 'replace');
  expect(readFileSync(join(folder, runFiles.rows), 'utf8')).toBe('old');
});

test.runIf(process.getuid?.() === 0)(
  'a full disk is reported, leaves no half file and keeps what was there',
  () => {
    const disk = freshFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', disk]);
    try {
      writeFileSync(join(disk, 'old'), 'old');
      for (const name of ['old', 'new'])
        expect(() => writeNewFile(join(disk, name), Buffer.alloc(65536), 'replace')).toThrow(
          expect.objectContaining({ code: 'DISK_FULL', value: join(disk, name) }),
        );
      expect(readdirSync(disk)).toEqual(['old']);
      expect(readFileSync(join(disk, 'old'), 'utf8')).toBe('old');
    } finally {
      execFileSync('umount', [disk]);
    }
  },
);
