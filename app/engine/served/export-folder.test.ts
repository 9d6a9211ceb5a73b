import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { ExportFolder } from './export-folder';

const root = temporaryFolder();

test('exports of one run have names of their own, and none replaces another', () => {
  const folder = new ExportFolder(join(root, 'several'));
  const kinds = ['csv', 'json', 'html', 'junit', 'parquet', 'json', 'json', 'parquet'] as const;
  const names = kinds.map((kind) => basename(folder.reserve('run', kind)));
  expect(names).toEqual([
    ...[
      'run.csv',
      'run.json',
      'run.html',
      'run.xml',
      'run.parquet',
      'run-2.json',
      'run-3.json',
      'run-2.parquet',
    ],
  ]);
});

test('an existing file stays, and what was never written goes at the end', () => {
  const path = join(root, 'kept');
  mkdirSync(path);
  writeFileSync(join(path, 'run.csv'), 'earlier');
  const folder = new ExportFolder(path);
  const [written, unused] = [folder.reserve('run', 'csv'), folder.reserve('run', 'html')];
  writeFileSync(written, 'later');
  folder.reserve('run', 'parquet');
  expect([readFileSync(join(path, 'run.csv'), 'utf8'), basename(unused)]).toEqual(['earlier', 'run.html']);
  folder.close();
  expect(readdirSync(path).sort()).toEqual(['run-2.csv', 'run.csv']);
});

test('names that are asked for and never used leave few files', () => {
  const folder = new ExportFolder(join(root, 'flood'));
  for (let number = 0; number < 300; number++) folder.reserve(`run-${number}`, 'csv');
  expect(readdirSync(folder.path).length).toBeLessThanOrEqual(100);
});

test('a folder that cannot be made is reported, and not looked for among the names for ever', () => {
  writeFileSync(join(root, 'file'), '');
  symlinkSync('nowhere', join(root, 'link'));
  const said = (path: string) => expect(() => new ExportFolder(path).reserve('run', 'csv'));
  said(join(root, 'file')).toThrow(/file cannot be written/);
  said(join(root, 'link')).toThrow(/link cannot be written/);
  said(join(root, 'file', 'exports')).toThrow(/exports cannot be written/);
  // Node's own recursive mkdir never ends there.
  if (process.platform === 'linux') said('/proc/none/exports').toThrow(/exports cannot be written/);
});
