import { expect, test } from 'vitest';
import { ndiCandidates } from './ndi-candidates';

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('a packaged app has its libndi beside its archive, before that of the system', () => {
  const candidates = ndiCandidates(undefined, '/opt/Whiteline/resources/app.asar', {});
  expect(candidates[0]).toBe('/opt/Whiteline/resources/ndi/libndi.so.6');
  expect(candidates.indexOf('libndi.so.6')).toBeGreaterThan(0);
});

test.runIf(isLinux)('a checkout has it in its folder or in the npm package', () => {
  const candidates = ndiCandidates(undefined, '/home/me/whiteline', {});
  expect(candidates[0]).toBe('/home/me/whiteline/libndi.so.6');
  expect(candidates).toContain(`/home/me/whiteline/node_modules/@grandi/linux-${process.arch}/libndi.so.6`);
});

test('a path in the settings stands alone', () => {
  expect(ndiCandidates('/mine/libndi.so.6', '/opt/Whiteline/resources/app.asar', {})).toEqual([
    '/mine/libndi.so.6',
  ]);
});
