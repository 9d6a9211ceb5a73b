import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addon, codeOf, ndiFolder } from './addon_fixture';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'whiteline-ndi-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A shared library with just this code. */
function buildLibrary(name: string, code: string): string {
  const source = join(folder, `${name}.c`);
  const library = join(folder, `${name}.so`);
  writeFileSync(source, code);
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, source]);
  return library;
}

test('what needs NDI says that it is missing', () => {
  expect(codeOf(() => new addon.Finder({ transport: 'ndi' }))).toMatchObject({ code: 'NDI_NOT_FOUND' });
});

test('a missing library: the message lists what was tried, and why each failed', () => {
  const text = join(folder, 'text.so');
  writeFileSync(text, 'not a library');
  const thrown = codeOf(() => addon.loadNdi(['/nowhere/libndi.so.6', folder, text]));
  expect(thrown.code).toBe('NDI_NOT_FOUND');
  expect(thrown.message).toContain('/nowhere/libndi.so.6: ');
  expect(thrown.message).toContain(`${folder}: `);
  expect(thrown.message).toContain(`${text}: `);
  expect(codeOf(() => addon.loadNdi([]))).toMatchObject({ code: 'NDI_NOT_FOUND' });
});

test('another library, an old NDI library, and one that refuses to start', () => {
  const other = buildLibrary('other', 'int answer(void) { return 42; }');
  expect(codeOf(() => addon.loadNdi([other]))).toMatchObject({ code: 'NDI_NOT_FOUND' });
  const old = buildLibrary('old', 'int NDIlib_initialize(void) { return 1; }');
  const tooOld = codeOf(() => addon.loadNdi([other, old]));
  expect(tooOld.code).toBe('NDI_TOO_OLD');
  expect(tooOld.message).toContain(`${old}: older than NDI 5`);
  // The table begins with initialize, destroy, version and is_supported_CPU.
  const unwilling = buildLibrary(
    'unwilling',
    `#include <stdbool.h>
     static bool no(void) { return false; }
     static void* table[1000] = {no};
     const void* NDIlib_v5_load(void) { return table; }`,
  );
  expect(codeOf(() => addon.loadNdi([unwilling]))).toMatchObject({ code: 'NDI_FAILED' });
});

test('the first candidate that works is loaded, once', () => {
  const runtime = addon.loadNdi(['/nowhere', ndiFolder]);
  expect(existsSync(runtime.path)).toBe(true);
  expect(runtime.version).toMatch(/NDI/);
  expect([5, 6]).toContain(runtime.api);
  expect(addon.loadNdi(['/nowhere'])).toEqual(runtime);
});
