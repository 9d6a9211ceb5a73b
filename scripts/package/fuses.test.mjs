import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fuseFlags, fusesOf, placeOfFuse } from './fuses.mjs';

const folder = mkdtempSync(join(tmpdir(), 'whiteline-fuses-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Something before, the wire, something behind. */
function executable(digits, version = 1) {
  const file = join(folder, `electron-${digits}`);
  const wire = Buffer.from([version, digits.length]);
  writeFileSync(
    file,
    Buffer.concat([Buffer.from('xxdL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'), wire, Buffer.from(`${digits}xx`)]),
  );
  return file;
}

test('an Electron without the newer fuses is asked for none of them', () => {
  const old = executable('1011000');
  expect(fuseFlags(old)).toEqual([]);
  expect(fusesOf(old)).toEqual({
    runAsNode: true,
    enableCookieEncryption: false,
    enableNodeOptionsEnvironmentVariable: true,
    enableNodeCliInspectArguments: true,
    enableEmbeddedAsarIntegrityValidation: false,
    onlyLoadAppFromAsar: false,
    loadBrowserProcessSpecificV8Snapshot: false,
  });
});

test('a current Electron gets the privileges of file pages switched off', () => {
  const current = executable('101100011');
  expect(fuseFlags(current)).toEqual(['-c.electronFuses.grantFileProtocolExtraPrivileges=false']);
  expect(fusesOf(current)).toMatchObject({ grantFileProtocolExtraPrivileges: true, wasmTrapHandlers: true });
  expect(placeOfFuse(current, 'enableNodeCliInspectArguments')).toBe(2 + 32 + 2 + 3);
});

test('a wire that is longer, or of another layout, is refused', () => {
  expect(() => fusesOf(executable('1011000111'))).toThrow('holds no fuses that we know');
  expect(() => fusesOf(executable('10110', 2))).toThrow('holds no fuses that we know');
  writeFileSync(join(folder, 'other'), 'no Electron');
  expect(() => fusesOf(join(folder, 'other'))).toThrow('holds no fuses that we know');
});
