import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { pairsFolder } from './cases';
import { placePictures } from './compare';
import { makePairsFolder, removePairsFolder } from './prepare';

const made = (folder: string) => {
  const files = { sideBySide: join(folder, 'sent-received.png'), difference: join(folder, 'difference.png') };
  for (const file of Object.values(files)) writeFileSync(file, 'a picture');
  return files;
};

test('a folder of the operator’s is never taken for that of raw pictures, which is removed at the end', () => {
  const run = temporaryFolder();
  mkdirSync(pairsFolder(run));
  writeFileSync(join(pairsFolder(run), 'own.txt'), 'own');
  expect(() => makePairsFolder(run)).toThrow(/Expected a folder without .+pairs in it for out/);
  expect(existsSync(join(pairsFolder(run), 'own.txt'))).toBe(true);
  const fresh = temporaryFolder();
  makePairsFolder(fresh);
  removePairsFolder(fresh);
  expect(existsSync(pairsFolder(fresh))).toBe(false);
});

test('pictures get their names in the run’s folder', () => {
  const run = temporaryFolder();
  const files = placePictures(run, 3, made(temporaryFolder()));
  expect(files).toEqual({
    sideBySide: 'pictures/quality-3-sent-received.png',
    difference: 'pictures/quality-3-difference.png',
  });
  for (const file of Object.values(files)) expect(readFileSync(join(run, file), 'utf8')).toBe('a picture');
});

test('no picture is written over a file or through a link', () => {
  const run = temporaryFolder();
  const victim = join(temporaryFolder(), 'victim');
  writeFileSync(victim, 'own');
  mkdirSync(join(run, 'pictures'));
  symlinkSync(victim, join(run, 'pictures', 'quality-1-difference.png'));
  expect(() => placePictures(run, 1, made(temporaryFolder()))).toThrow(/difference\.png exists already/);
  const linked = temporaryFolder();
  symlinkSync(temporaryFolder(), join(linked, 'pictures'));
  expect(() => placePictures(linked, 1, made(temporaryFolder()))).toThrow(/it is a link/);
  expect(readFileSync(victim, 'utf8')).toBe('own');
});
