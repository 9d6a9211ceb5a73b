import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openFilesLimit } from '../../protocol/open-files-limit';
import { tooManyOpenFiles } from './open-files';

test('the limit is that of this process', () => {
  expect(openFilesLimit()).toBe(Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })));
  expect(openFilesLimit('Max open files            64                   4096                 files')).toBe(
    64,
  );
  expect(openFilesLimit('Max open files            unlimited            unlimited            files')).toBe(
    Number.POSITIVE_INFINITY,
  );
  expect(openFilesLimit(null)).toBeNull();
});

test('only where no file may be opened any more it says so, with the limit', () => {
  const error = (code: string) => Object.assign(new Error(`spawn setpriv ${code}`), { code });
  expect(tooManyOpenFiles(error('EMFILE'))).toMatch(/no more files open than \d+\. Allow more \(ulimit -n\)/);
  const ofThread = new Error('Worker initialization failure: EMFILE');
  expect(tooManyOpenFiles(Object.assign(ofThread, { code: 'ERR_WORKER_INIT_FAILED' }))).not.toBeNull();
  for (const other of [error('EACCES'), null, 'EMFILE']) expect(tooManyOpenFiles(other)).toBeNull();
});
