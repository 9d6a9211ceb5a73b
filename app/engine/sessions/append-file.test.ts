import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { AppendFile, writeProblem } from './append-file';

const root = temporaryFolder();

test('a file only grows, a line at a time', () => {
  const path = join(root, 'lines.jsonl');
  for (const value of [{ a: 1 }, { b: 'ü\n' }]) {
    const file = new AppendFile(path);
    file.append(value);
    file.close();
  }
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"b":"ü\\n"}\n');
});

test('a new file is none that is there, nor what a link of its name points to', () => {
  const [there, link, absent] = [join(root, 'there'), join(root, 'link'), join(root, 'absent')];
  writeFileSync(there, '');
  symlinkSync(absent, link);
  for (const path of [there, link]) expect(() => AppendFile.make(path)).toThrow(/EEXIST/);
  expect(existsSync(absent)).toBe(false);
});

test('a device without room is a full disk', () => {
  const file = new AppendFile('/dev/full');
  expect(() => file.append({ a: 1 })).toThrow(
    expect.objectContaining({ code: 'DISK_FULL', value: '/dev/full' }),
  );
  file.close();
});

test.runIf(process.getuid?.() === 0)('a line for which a disk has no room is taken back', () => {
  const disk = join(root, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', disk]);
  try {
    const path = join(disk, 'lines.jsonl');
    const file = new AppendFile(path);
    file.append({ a: 1 });
    expect(() => file.append('x'.repeat(65536))).toThrow(expect.objectContaining({ code: 'DISK_FULL' }));
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n');
    file.append({ b: 2 });
    file.close();
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"b":2}\n');
  } finally {
    execFileSync('umount', [disk]);
  }
});

/** By Node 17 or newer, whose types we do not have. */
const { getActiveResourcesInfo } = process as NodeJS.Process & { getActiveResourcesInfo(): string[] };

test('a sync under way ends before the file is let go', async () => {
  const problems: unknown[] = [];
  const onProblem = vi.fn((problem: unknown) => problems.push(problem));
  for (let round = 0; round < 50; round++) {
    const file = new AppendFile(join(root, `sync-${round}`));
    file.append({ round });
    file.sync(onProblem);
    file.append({ round });
    file.close();
  }
  await vi.waitFor(() => expect(getActiveResourcesInfo()).not.toContain('FSReqCallback'));
  expect(problems).toEqual([]);
});

test('what a system says of a write becomes what an operator can do', () => {
  const failed = (code: string) => Object.assign(new Error('x'), { code });
  expect(writeProblem(failed('ENOSPC'), '/x')).toMatchObject({ code: 'DISK_FULL' });
  expect(writeProblem(failed('EDQUOT'), '/x')).toMatchObject({ code: 'DISK_FULL' });
  expect(writeProblem(failed('EFBIG'), '/x')).toMatchObject({
    code: 'OUTPUT_UNWRITABLE',
    remedy: expect.stringContaining('ulimit -f'),
  });
  expect(writeProblem(failed('EACCES'), '/x')).toMatchObject({
    code: 'OUTPUT_UNWRITABLE',
    message: '/x cannot be written (EACCES)',
  });
});
