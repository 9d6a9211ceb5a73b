import { expect, test } from 'vitest';
import { isNetworkMount, liesInMemory, mountOf, parseMountInfo, serverOf } from './mounts';

const mountInfo = [
  '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
  '31 27 0:40 / /mnt/share rw,relatime shared:7 master:2 - nfs4 nas.example:/export/movies rw,vers=4.2',
  '32 27 0:41 / /mnt/other\\040disk rw - cifs //nas.example/Shared\\040Movies rw',
  '33 27 0:42 / /mnt/share rw - tmpfs tmpfs rw',
  'nonsense',
  '',
].join('\n');
const mounts = parseMountInfo(mountInfo);

test('a path lies on the longest mount point above it, of several the newest', () => {
  expect(mountOf('/home/me', mounts)?.source).toBe('/dev/vda');
  expect(mountOf('/mnt/share/movies', mounts)?.fileSystem).toBe('tmpfs');
  expect(mountOf('/mnt/share', mounts)?.fileSystem).toBe('tmpfs');
  expect(mountOf('/mnt/shared', mounts)?.source).toBe('/dev/vda');
  expect(mountOf('/mnt/other disk/x', mounts)).toEqual({
    mountPoint: '/mnt/other disk',
    fileSystem: 'cifs',
    source: '//nas.example/Shared Movies',
  });
  expect(mountOf('/anywhere', [])).toBeNull();
});

test('shares are distinguished from disks', () => {
  expect(mounts.map(isNetworkMount)).toEqual([false, true, true, false]);
});

test.each([
  ['nas.example:/export', 'nas.example'],
  ['//192.0.2.7/share', '192.0.2.7'],
  ['[2001:db8::7]:/export', '2001:db8::7'],
  ['me@nas.example:/home/me', 'nas.example'],
  ['/dev/sda1', null],
  ['tmpfs', null],
])('the server of %s', (source, server) => {
  expect(serverOf({ mountPoint: '/', fileSystem: 'nfs', source })).toBe(server);
});

test('memory has no disk', () => {
  const mount = (fileSystem: string) => ({ mountPoint: '/x', fileSystem, source: 'x' });
  expect(['tmpfs', 'ramfs', 'ext4'].map((name) => liesInMemory(mount(name)))).toEqual([true, true, false]);
  expect(liesInMemory(null)).toBe(false);
});
