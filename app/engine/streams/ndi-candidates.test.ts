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

test.runIf(isLinux)('a package among others has it inside or beside it', () => {
  const candidates = ndiCandidates(undefined, '/home/me/mine/node_modules/whiteline', {});
  const ours = `@grandi/linux-${process.arch}/libndi.so.6`;
  expect(candidates).toContain(`/home/me/mine/node_modules/whiteline/node_modules/${ours}`);
  expect(candidates).toContain(`/home/me/mine/node_modules/${ours}`);
});

test('on Windows it is looked for where NDI’s installers put it, after what they name and what the app brings', () => {
  const environment = {
    NDI_RUNTIME_DIR_V5: 'D:\\NDI 5',
    NDI_SDK_DIR: 'D:\\SDK',
    ProgramFiles: 'C:\\Programme',
  };
  const file = 'Processing.NDI.Lib.x64.dll';
  const candidates = ndiCandidates(undefined, 'C:\\whiteline', environment, 'win32');
  expect(candidates.slice(0, 4)).toEqual([
    `D:\\NDI 5\\${file}`,
    `C:\\whiteline\\${file}`,
    file,
    `D:\\SDK\\Bin\\x64\\${file}`,
  ]);
  expect(candidates).toContain(`C:\\Programme\\NDI\\NDI 6 Tools\\Runtime\\${file}`);
  expect(candidates).toContain(`C:\\Programme\\NDI\\NDI 5 Runtime\\v5\\${file}`);
});

test('a path in the settings stands alone', () => {
  expect(ndiCandidates('/mine/libndi.so.6', '/opt/Whiteline/resources/app.asar', {})).toEqual([
    '/mine/libndi.so.6',
  ]);
});
