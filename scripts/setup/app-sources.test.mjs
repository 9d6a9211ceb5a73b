import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { appSourceFiles, appSourcesHash, isAppFresh } from './app-sources.mjs';

test('the sources of a bundle are those of each of its parts, without tests', () => {
  const files = appSourceFiles();
  const parts = ['app/cli/entry.ts', 'app/main/main.ts', 'renderer/main.tsx', 'package-lock.json'];
  expect(files).toEqual(expect.arrayContaining(parts));
  expect(files.filter((file) => /\.test\.|^(app|renderer)\/testing\//.test(file))).toEqual([]);
});

test('a build is fresh that noted these very sources', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-sources-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const note = path.join(folder, 'sources');
  expect(isAppFresh(note)).toBe(false);
  writeFileSync(note, 'of others');
  expect(isAppFresh(note)).toBe(false);
  writeFileSync(note, appSourcesHash());
  expect(isAppFresh(note)).toBe(true);
});
