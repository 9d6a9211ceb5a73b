import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { examplePictures } from '../../testing/example-pictures';
import { exampleRow } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { readNamedRun } from '../../testing/named-rows';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { picturesOf } from '../reports/pictures';
import { AppendFile } from './append-file';
import { annotateRun, pictureEvent, remarkEvent } from './notes';
import { readSamples, runFiles } from './read-run';
import { readRecorded } from './recorded-file';
import { replaceFile } from './replace-file';

const root = temporaryFolder();
const whole = join(root, 'whole');
const { recorder } = recorderIn(whole);
recorder.sample(loadSample());
recorder.row(exampleRow(0));
await recorder.end('finished', 'PASS', 'no frame lost');
const folder = join(root, 'run');
const secret = join(root, 'secret');
writeFileSync(secret, 'no one else’s\n');
const { png } = examplePictures;

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  cpSync(whole, folder, { recursive: true });
});

describe.each(['rows', 'samples', 'events'] as const)('%s', (name) => {
  const path = join(folder, runFiles[name]);

  test.each([
    ['a pipe', () => execFileSync('mkfifo', [path])],
    ['a folder', () => mkdirSync(path)],
    ['a link to a file', () => symlinkSync(join(whole, runFiles[name]), path)],
    ['a link to a device', () => symlinkSync('/dev/zero', path)],
  ])('%s in the place of the file is not read, and is reported', (_, put) => {
    rmSync(path);
    put();
    expect(readNamedRun(folder).missing?.files).toEqual([runFiles[name]]);
    expect(readNamedRun(folder).verdict).not.toBe('PASS');
  });
});

test('a pipe as run.json blocks no reader where the first event is lost', () => {
  for (const name of [runFiles.run, runFiles.events]) rmSync(join(folder, name));
  execFileSync('mkfifo', [join(folder, runFiles.run)]);
  expect(readNamedRun(folder)).toMatchObject({ experiment: 'unknown', state: 'interrupted' });
});

test('nothing longer than asked for is read', () => {
  expect(readRecorded(secret, 5)).toBe('unreadable');
  expect(readRecorded(secret, 100)).toEqual(readFileSync(secret));
  expect(readRecorded(join(root, 'absent'), 100)).toBe('absent');
});

describe('values that would end a reader', () => {
  /** Long ago: this run is no longer recorded. */
  const addSample = (text: string): void => {
    const samples = join(folder, runFiles.samples);
    writeFileSync(samples, `${text}\n`);
    utimesSync(samples, 0, 0);
  };

  test.each([
    ['a time that no calendar has', JSON.stringify(loadSample({ wallMs: 1e308 }))],
    ['no roles', '{"wallMs":1}'],
    ['a text for a number', JSON.stringify({ ...loadSample(), cpuPercent: 'x' })],
    [
      'a load of our processes that is no number',
      JSON.stringify({ ...loadSample(), roles: { sending: { cpuPercent: {} } } }),
    ],
  ])('a sample with %s is none', (_, text) => {
    rmSync(join(folder, runFiles.events));
    rmSync(join(folder, runFiles.run));
    addSample(text);
    expect(readSamples(folder)).toEqual([]);
    expect(readNamedRun(folder).missing?.samples).toBe(1);
  });

  test('parameters that are nested without end are none of ours', () => {
    const events = join(folder, runFiles.events);
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    writeFileSync(
      events,
      readFileSync(events, 'utf8').replace('"parameters":{', `"parameters":{"deep":${deep},`),
    );
    rmSync(join(folder, runFiles.run));
    expect(readNamedRun(folder)).toMatchObject({ experiment: 'unknown', missing: { events: 1 } });
  });
});

describe('writing', () => {
  test('no line is written through a link', () => {
    for (const [name, target] of [
      ['foreign', secret],
      ['dangling', join(root, 'made-elsewhere')],
    ] as const) {
      const path = join(root, name);
      symlinkSync(target, path);
      expect(() => new AppendFile(path)).toThrow(expect.objectContaining({ code: 'ELOOP' }));
    }
    expect(readFileSync(secret, 'utf8')).toBe('no one else’s\n');
    expect(readRecorded(join(root, 'made-elsewhere'), 100)).toBe('absent');
  });

  test('a run is not recorded into a folder with a link of that name, even one that leads nowhere', () => {
    const out = join(root, 'out');
    mkdirSync(out);
    symlinkSync(join(root, 'elsewhere.jsonl'), join(out, runFiles.rows));
    expect(() => recorderIn(out)).toThrow(expect.objectContaining({ code: 'BAD_INPUT', field: 'out' }));
    expect(readRecorded(join(root, 'elsewhere.jsonl'), 100)).toBe('absent');
  });

  test('a note is not written through a link', () => {
    const events = join(folder, runFiles.events);
    rmSync(events);
    symlinkSync(join(whole, runFiles.events), events);
    const before = readFileSync(join(whole, runFiles.events), 'utf8');
    expect(() => annotateRun(folder, [remarkEvent({ kind: 'note', text: 'x' }, new Date())])).toThrow(
      /events\.jsonl cannot be written \(it is a link, and links are not followed\)/,
    );
    expect(readFileSync(join(whole, runFiles.events), 'utf8')).toBe(before);
  });

  test('a note is not lost in a pipe', () => {
    const events = join(folder, runFiles.events);
    rmSync(events);
    execFileSync('mkfifo', [events]);
    expect(() => annotateRun(folder, [remarkEvent({ kind: 'note', text: 'x' }, new Date())])).toThrow(
      /events\.jsonl cannot be written \(it is a pipe\)/,
    );
  });

  test('a link in the place of the temporary file, or of the file itself, is replaced', () => {
    const target = join(folder, runFiles.run);
    rmSync(target);
    symlinkSync(secret, target);
    symlinkSync(secret, `${target}.${process.pid}.new`);
    replaceFile(target, { a: 1 });
    expect(readFileSync(secret, 'utf8')).toBe('no one else’s\n');
    expect(JSON.parse(String(readRecorded(target, 100)))).toEqual({ a: 1 });
  });
});

describe('pictures of a run', () => {
  const shown = (...files: string[]) =>
    picturesOf(folder, {
      rows: [],
      notes: files.map((file) => ({ at: '', kind: 'picture', text: file, file })),
    });

  beforeEach(() => mkdirSync(join(folder, 'pictures')));

  test('one of its own is shown, by what it is and not by what it is called', () => {
    writeFileSync(join(folder, 'pictures/a.jpg'), png);
    expect(shown('pictures/a.jpg').pictures).toMatchObject([
      { name: 'pictures/a.jpg', dataUrl: `data:image/png;base64,${png.toString('base64')}` },
    ]);
  });

  test('what is no picture is left out, with the reason', () => {
    writeFileSync(join(folder, 'pictures/a.png'), 'root:x:0:0');
    expect(shown('pictures/a.png')).toEqual({
      pictures: [],
      picturesLeftOut: [{ name: 'pictures/a.png', reason: 'it is no PNG, JPEG or WebP picture' }],
    });
    writeFileSync(join(folder, 'pictures/a.png'), png.subarray(0, -20));
    expect(shown('pictures/a.png').picturesLeftOut).toMatchObject([{ reason: 'its file ends too early' }]);
  });

  test('nothing is shown through a link, nor from elsewhere', () => {
    const outside = join(root, 'outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, 'b.png'), png);
    symlinkSync(join(outside, 'b.png'), join(folder, 'pictures/a.png'));
    symlinkSync(outside, join(folder, 'linked'));
    const names = ['pictures/a.png', 'linked/b.png', '../outside/b.png', join(outside, 'b.png')];
    expect(shown(...names)).toEqual({ pictures: [], picturesLeftOut: [] });
  });

  test('a folder and a pipe by the name of a picture fail no report', () => {
    mkdirSync(join(folder, 'pictures/x.png'));
    execFileSync('mkfifo', [join(folder, 'pictures/y.png')]);
    expect(shown('pictures/x.png', 'pictures/y.png')).toEqual({ pictures: [], picturesLeftOut: [] });
  });

  test('none is attached through a link', () => {
    rmSync(join(folder, 'pictures'), { recursive: true });
    const outside = join(root, 'album');
    mkdirSync(outside);
    symlinkSync(outside, join(folder, 'pictures'));
    writeFileSync(join(root, 'own.png'), png);
    expect(() => pictureEvent(folder, join(root, 'own.png'), '', new Date())).toThrow(/it is a link/);
    expect(readRecorded(join(outside, 'own.png'), 1000)).toBe('absent');
  });
});
