import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examplePictures } from '../../testing/example-pictures';
import { type Run, readNamedRun } from '../../testing/named-rows';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { annotateRun, pictureEvent, picturesFolder, remarkEvent } from './notes';
import { readEvents, readRun, runFiles } from './read-run';
import { replaceFile } from './replace-file';

const root = temporaryFolder();
const { png } = examplePictures;
let number = 0;

function endedRun(): string {
  const folder = join(root, `run-${number++}`);
  recorderIn(folder).recorder.end('finished', 'PASS', 'all well');
  return folder;
}

function file(name: string, bytes: Buffer): string {
  const path = join(root, name);
  writeFileSync(path, bytes);
  return path;
}

test('what is said of a run that ended is read back, and changes nothing of what was measured', () => {
  const folder = endedRun();
  const before = readNamedRun(folder);
  const picture = file('EEE on!.PNG', png);
  annotateRun(folder, [
    remarkEvent({ kind: 'note', text: ' The switch was rebooted\nat ten ' }, new Date()),
    remarkEvent({ kind: 'marker', text: 'lights on' }, new Date()),
    pictureEvent(folder, picture, '', new Date()),
    remarkEvent({ kind: 'switch', text: 'Netgear M4250, IGMP+' }, new Date()),
    remarkEvent({ kind: 'renamed', text: 'Hall 3, evening' }, new Date()),
  ]);
  const run = readNamedRun(folder);
  expect(run).toEqual({
    ...before,
    title: 'Hall 3, evening',
    environment: { ...before.environment, switch: 'Netgear M4250, IGMP+' },
    notes: [
      { at: expect.any(String), kind: 'note', text: 'The switch was rebooted\nat ten' },
      { at: expect.any(String), kind: 'marker', text: 'lights on' },
      { at: expect.any(String), kind: 'picture', text: 'EEE on!.PNG', file: 'pictures/EEE-on-.png' },
    ],
  });
  expect(run).toMatchObject({ state: 'finished', verdict: 'PASS', reason: 'all well' });
  expect(readFileSync(join(folder, 'pictures/EEE-on-.png'))).toEqual(png);
  expect(JSON.parse(readFileSync(join(folder, runFiles.run), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(readRun(folder))),
  );
  expect(readEvents(folder).map(({ kind }) => kind)).toEqual([
    ...(['run-started', 'run-ended', 'note', 'marker', 'picture', 'switch', 'renamed'] as const),
  ]);
});

test('a picture never takes the place of another one, and its name cannot lead out of the folder', () => {
  const folder = endedRun();
  const path = file('..photo.png', png);
  const jpeg = file('photo.jpeg', examplePictures.jpeg);
  const events = [path, path, jpeg].map((picture) => pictureEvent(folder, picture, 'The rack', new Date()));
  expect(events.map(({ details }) => details?.file)).toEqual([
    ...['pictures/..photo.png', 'pictures/..photo-2.png', 'pictures/photo.jpg'],
  ]);
  expect(readdirSync(join(folder, picturesFolder))).toHaveLength(3);
});

test('what is no picture, too large or absent is refused', () => {
  const folder = endedRun();
  const refused = (path: string, message: string): void =>
    expect(() => pictureEvent(folder, path, '', new Date())).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringContaining(message) }),
    );
  refused(file('photo.png', Buffer.from('<svg/>')), 'Expected a PNG, JPEG or WebP picture');
  refused(file('empty.png', Buffer.alloc(0)), 'Expected a PNG, JPEG or WebP picture');
  refused(file('half.png', png.subarray(0, -20)), 'Expected a whole picture');
  refused(join(root, 'absent.png'), 'Expected a file for picture');
  refused(root, 'Expected a file for picture');
  const large = file('large.png', png);
  truncateSync(large, 50e6 + 1);
  refused(large, 'Expected a file of at most 50 MB');
  expect(readEvents(folder)).toHaveLength(2);
});

test('an empty or endless text is refused', () => {
  expect(() => remarkEvent({ kind: 'note', text: ' \n' }, new Date())).toThrow(
    'a text of 1 to 10000 characters for text',
  );
  expect(() => remarkEvent({ kind: 'renamed', text: 'x'.repeat(201) }, new Date())).toThrow(
    'but received 201 characters',
  );
});

test('a note from another process leaves run.json to the one that records', async () => {
  const folder = join(root, 'live');
  const { recorder } = recorderIn(folder);
  const runFile = (): Run => JSON.parse(readFileSync(join(folder, runFiles.run), 'utf8'));
  annotateRun(folder, [remarkEvent({ kind: 'note', text: 'from next door' }, new Date())]);
  expect(runFile()).toMatchObject({ state: 'running', notes: [] });
  await recorder.end('finished', 'PASS', '');
  expect(runFile()).toMatchObject({ state: 'finished', notes: [{ text: 'from next door' }] });
});

test('two processes that replace a file at once do not meet', () => {
  const target = join(root, 'shared.json');
  // What another process is writing at this moment.
  writeFileSync(`${target}.new`, '{"half');
  replaceFile(target, { whole: true });
  expect(readFileSync(`${target}.new`, 'utf8')).toBe('{"half');
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ whole: true });
});

test('a folder without a run takes no note', () => {
  const folder = join(root, 'no-run');
  mkdirSync(folder);
  expect(() => annotateRun(folder, [remarkEvent({ kind: 'note', text: 'x' }, new Date())])).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND' }),
  );
  expect(readdirSync(folder)).toEqual([]);
});
