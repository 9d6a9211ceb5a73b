import path from 'node:path';
import { expect, test } from 'vitest';
import { rootFolder } from './platform.mjs';
import { remedyIn } from './remedies.mjs';

test.each([
  ['ENOSPC: no space left on device, write', /^make room on the disk/],
  ['cc1plus: fatal error: error writing to /tmp/a.s: No space left on device', /^make room on the disk/],
  ["EROFS: read-only file system, mkdir '/media/whiteline/.runtime'", /^use a copy/],
  ['spawn dpkg-query EMFILE', /^raise the limit of open files/],
  ['c++: fatal error: Killed signal terminated program cc1plus', /^free memory/],
  [
    'npm error network request to https://packages.example/x failed, reason: getaddrinfo ENOTFOUND',
    /^check the network/,
  ],
  ["E: Failed to fetch http://deb: Temporary failure resolving 'deb.debian.org'", /^check the network/],
  ['NewConnectionError: Failed to establish a new connection', /^check the network/],
])('%s', (words, remedy) => {
  expect(remedyIn(words)).toMatch(remedy);
});

test('words that name nothing of the machine have no remedy', () => {
  expect(remedyIn('CMake Error at CMakeLists.txt:1')).toBeNull();
});

const denied = (file, asRoot) => remedyIn(`EACCES: permission denied, open '${file}'`, asRoot);
const ours = path.join(rootFolder, '.runtime/stamps/app');

test('what belongs to another user is given to this one', () => {
  const give = (place) => `give yourself what belongs to another user: sudo chown -R "$(id -un)" '${place}'`;
  expect(denied(ours, false)).toBe(give(rootFolder));
  expect(denied('/home/me/.cache/whiteline', false)).toBe(give('/home/me/.cache/whiteline'));
  const words = 'npm error code EACCES\nnpm error syscall mkdir\nnpm error path /home/me/.npm/_cacache';
  expect(remedyIn(words, false)).toBe(give('/home/me/.npm/_cacache'));
  expect(remedyIn('cannot create a.o: Permission denied', false)).toBe(give(rootFolder));
});

test('what even root may not change is looked at', () => {
  expect(denied(ours, true)).toContain(`findmnt -T '${rootFolder}'`);
  expect(denied('/media/disk/runs', true)).toContain("findmnt -T '/media/disk/runs'");
});
