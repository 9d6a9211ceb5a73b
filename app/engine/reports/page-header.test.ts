import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { noReportHeader } from '../../protocol/report-header';
import { examplePictures } from '../../testing/example-pictures';
import { temporaryFolder } from '../../testing/temporary-folder';
import { newRunHeader, pageHeader } from './page-header';

const root = temporaryFolder();
const typedLogo = join(root, 'chosen.any');
const folder = join(root, 'run');
const jpeg = `data:image/jpeg;base64,${examplePictures.jpeg.toString('base64')}`;
const png = `data:image/png;base64,${examplePictures.png.toString('base64')}`;

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(typedLogo, examplePictures.jpeg);
});

test('what is typed as a run begins is recorded with it, its logo as a file of its folder', () => {
  const typed = newRunHeader({ project: 'Hall 3', operator: '', logo: typedLogo });
  expect(typed.header).toEqual({ project: 'Hall 3', operator: '', logo: 'logo.jpg' });
  typed.keepLogo(folder);
  expect(readFileSync(join(folder, 'logo.jpg'))).toEqual(examplePictures.jpeg);
  expect(() => typed.keepLogo(folder)).toThrow('exists already');
  expect(newRunHeader({}).header).toBeUndefined();
});

test('what is typed for a report stands before what its run recorded, and that before what is set', () => {
  const set = { ...noReportHeader, project: 'Set', client: 'Set', operator: 'Set' };
  const recorded = newRunHeader({ project: 'Recorded', client: 'Recorded', logo: typedLogo });
  recorded.keepLogo(folder);
  const runs = [{ folder, run: { header: recorded.header } }];
  expect(pageHeader(set, { project: 'Typed' }, runs)).toEqual({
    ...{ project: 'Typed', client: 'Recorded', operator: 'Set', paper: 'a4', logoDataUrl: jpeg },
  });
  writeFileSync(typedLogo, examplePictures.png);
  expect(pageHeader(set, { client: '', logo: typedLogo, paper: 'letter' }, runs)).toEqual({
    ...{ project: 'Recorded', client: '', operator: 'Set', paper: 'letter', logoDataUrl: png },
  });
});

test('a report of several runs names each operator once', () => {
  const runs = ['Ann', 'Bob', 'Ann'].map((operator) => ({ folder, run: { header: { operator } } }));
  expect(pageHeader(noReportHeader, {}, [...runs, { folder, run: {} }]).operator).toBe('Ann, Bob');
});

test('a logo that the run has lost, or that lies elsewhere, is left out', () => {
  const withLogo = (logo: string): string | null =>
    pageHeader(noReportHeader, {}, [{ folder, run: { header: { logo } } }]).logoDataUrl;
  symlinkSync(typedLogo, join(folder, 'link.jpg'));
  expect(['logo.jpg', '../chosen.any', typedLogo, 'link.jpg'].map(withLogo)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
