import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RunSummary } from '../../protocol/history';
import { exampleRun } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { type RecordedRun, recordRun } from '../../testing/recorded-run';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { annotateRun, remarkEvent } from '../sessions/notes';
import { runFiles } from '../sessions/read-run';
import { baselineFile, baselineOf, pinBaseline, readBaselines, unpinBaseline } from './baseline';
import { findInHistory, runFolderOf } from './history';
import { indexFile } from './index-file';

const folder = temporaryFolder();
let root = '';
let number = 0;

beforeEach(() => {
  root = join(folder, `runs-${number++}`);
  mkdirSync(root);
});

const writeRun = (name: string, reported: RecordedRun = {}): string => recordRun(join(root, name), reported);
const names = (runs: RunSummary[]): string[] => runs.map((run) => run.folder);

test('runs are listed newest first, with what the list shows', () => {
  writeRun('old', { startedAt: '2025-01-01T00:00:00.000Z' });
  writeRun('new', { reason: '4 streams carried', rows: 5 });
  const runs = findInHistory(root);
  expect(names(runs)).toEqual(['new', 'old']);
  expect(runs[0]).toEqual({
    ...{ folder: 'new', id: '2026-11-20T10-00-00-000Z', experiment: 'stream-load', title: 'Stream load' },
    ...{ state: 'finished', verdict: 'PASS', reason: '4 streams carried', rows: 5, hosts: ['render'] },
    ...{ startedAt: '2026-11-20T10:00:00.000Z', endedAt: '2026-11-20T10:00:00.000Z', notes: [] },
    ...{ sources: [], formats: [], streams: 1, streamNames: ['Whiteline 1'], recordedIn: '' },
    command: exampleRun([]).command,
  });
});

test('each filter finds what it says, and all of them together', () => {
  writeRun('a', { verdict: 'FAIL', reason: '3 frames dropped in transport', host: 'Render-1' });
  writeRun('b', { experiment: 'link', host: 'display', startedAt: '2026-11-21T10:00:00.000Z' });
  writeRun('plan/c', { verdict: null, startedAt: '2026-11-22T10:00:00.000Z' });
  const find = (filter: Parameters<typeof findInHistory>[1]) => names(findInHistory(root, filter)).sort();
  expect(find({})).toEqual(['a', 'b', 'plan/c']);
  expect(find({ verdict: 'FAIL' })).toEqual(['a']);
  expect(find({ experiment: 'link' })).toEqual(['b']);
  expect(find({ host: 'render-1' })).toEqual(['a']);
  expect(find({ host: 'rend' })).toEqual([]);
  expect(find({ text: 'TRANSPORT dropped' })).toEqual(['a']);
  expect(find({ text: 'dropped nowhere' })).toEqual([]);
  expect(find({ text: '% _ \' " ; DROP TABLE runs' })).toEqual([]);
  expect(find({ from: '2026-11-21T00:00:00.000Z' })).toEqual(['b', 'plan/c']);
  expect(find({ from: '2026-11-21T00:00:00.000Z', before: '2026-11-22T00:00:00.000Z' })).toEqual(['b']);
  expect(find({ state: 'finished', limit: 2 })).toEqual(['b', 'plan/c']);
});

test('a run is found by source, format with either sign, and its plan', () => {
  const noise = { parameters: { format: '640x360@30' }, environment: { source: { kind: 'noise' } } };
  const opener = { kind: 'hap', path: '/media/shows/Opener.mov', format: '3840x2160@50' };
  writeRun('a', noise);
  writeRun('b', { environment: { source: opener } });
  writeRun('c', { session: 'Evening load-in' });
  const find = (text: string) => names(findInHistory(root, { text }));
  for (const text of ['640x360', '640×360', '640 × 360', 'NOISE 640×360@30'])
    expect(find(text)).toEqual(['a']);
  expect(find('opener.mov 2160')).toEqual(['b']);
  expect(find('640×720')).toEqual([]);
  for (const text of ['load-in', 'evening', '"evening load-in"']) expect(find(text)).toEqual(['c']);
  expect(find('morning load-in')).toEqual([]);
});

test('the white line finds the runs of that source, though every run names the program and most its senders', () => {
  const command = 'whiteline run stream-load --source noise --name Whiteline';
  writeRun('noise', {
    reason: 'Whiteline 1 lost 3 frames',
    command,
    environment: { source: { kind: 'noise' } },
  });
  writeRun('none', { experiment: 'pacing', command: 'whiteline run pacing --source white-line' });
  writeRun('line', { environment: { source: { kind: 'white-line' } } });
  for (const text of ['white line', 'white-line', '"white line"'])
    expect(names(findInHistory(root, { text }))).toEqual(['line']);
});

test('a run is found by what a stream was called in one of its rows', () => {
  const path = join(writeRun('a', { rows: 2 }), runFiles.rows);
  const [first = '', second = ''] = readFileSync(path, 'utf8').trim().split('\n');
  const { subjects, ...row } = JSON.parse(second);
  const renamed = subjects.map((subject: object) => ({ ...subject, name: 'stage left' }));
  writeFileSync(path, `${first}\n${JSON.stringify({ ...row, subjects: renamed })}\n`);
  writeRun('b', { rows: 2 });
  const named = findInHistory(root, { text: '"stage left"' });
  expect(names(named)).toEqual(['a']);
  expect(named[0]?.streamNames).toEqual([subjects[0].name, 'stage left']);
});

test('a machine of a fleet has one name: that in the fleet', () => {
  const path = writeRun('a', { host: 'console-pc' });
  const hosts = [
    { hostName: 'render-1-pc', machine: { name: 'render-1' } },
    { hostName: 'display-1-pc', machine: { name: 7 } },
  ];
  const at = '2026-11-20T10:00:00.000Z';
  const lines = hosts.map(
    (host) => `${JSON.stringify({ at, kind: 'host-environment', text: '', details: { host } })}\n`,
  );
  appendFileSync(join(path, runFiles.events), lines.join(''));
  expect(findInHistory(root)[0]?.hosts).toEqual(['console-pc', 'render-1', 'display-1-pc']);
});

test('a note is found as soon as it is there, and a new title is shown', () => {
  const path = writeRun('a');
  findInHistory(root);
  annotateRun(path, [
    remarkEvent({ kind: 'note', text: 'Switch had EEE on' }, new Date()),
    remarkEvent({ kind: 'renamed', text: 'Hall 3' }, new Date()),
  ]);
  const [found] = findInHistory(root, { text: 'eee' });
  expect(found).toMatchObject({
    folder: 'a',
    title: 'Hall 3',
    notes: ['Switch had EEE on'],
    state: 'finished',
  });
});

test('a run that is being recorded is running, and one that no one writes any more is interrupted', () => {
  const { recorder } = recorderIn(join(root, 'live'));
  recorder.sample(loadSample());
  writeRun('killed');
  truncateSync(
    join(root, 'killed', runFiles.events),
    readFileSync(join(root, 'killed', runFiles.events)).indexOf('\n') + 5,
  );
  const stale = new Date(Date.now() - 60_000);
  utimesSync(join(root, 'killed', runFiles.samples), stale, stale);
  const states = Object.fromEntries(findInHistory(root).map((run) => [run.folder, run.state]));
  expect(states).toEqual({ live: 'running', killed: 'interrupted' });
  recorder.end('finished', 'PASS', 'done');
  expect(findInHistory(root, { state: 'finished' })[0]).toMatchObject({
    folder: 'live',
    reason: 'done',
  });
});

describe('the index', () => {
  const open = (): string[] => names(findInHistory(root)).sort();
  const index = (): string => join(root, indexFile);

  beforeEach(() => {
    for (const name of ['a', 'b', 'c']) writeRun(name);
    expect(open()).toEqual(['a', 'b', 'c']);
  });

  test('is used: it is not written again when nothing changed', () => {
    const before = readFileSync(index(), 'utf8');
    expect(before.trim().split('\n')).toHaveLength(3);
    expect(open()).toEqual(['a', 'b', 'c']);
    expect(readFileSync(index(), 'utf8')).toBe(before);
  });

  test.each([
    ['deleted', () => rmSync(index())],
    ['empty', () => truncateSync(index(), 0)],
    ['cut within a line', () => truncateSync(index(), 700)],
    ['of zeros', () => writeFileSync(index(), Buffer.alloc(3000))],
    ['of nonsense', () => writeFileSync(index(), 'null\n5\n{"folder":"a","key":"x","summary":{"id":3}}\n')],
    ['with zeros at its end', () => appendFileSync(index(), Buffer.alloc(500))],
  ])('%s: it is made again from the folders', (_, spoil) => {
    spoil();
    const whole = findInHistory(root);
    expect(names(whole).sort()).toEqual(['a', 'b', 'c']);
    expect(whole[0]).toMatchObject({ verdict: 'PASS', rows: 1, hosts: ['render'] });
    expect(findInHistory(root)).toEqual(whole);
  });

  test('lies: the folders are the truth', () => {
    writeFileSync(index(), readFileSync(index(), 'utf8').replace(/"a"/g, '"z"'));
    expect(open()).toEqual(['a', 'b', 'c']);
  });

  test('forgets a folder that is gone, and knows one that was moved', () => {
    rmSync(join(root, 'a'), { recursive: true });
    cpSync(join(root, 'b'), join(root, 'd'), { recursive: true });
    expect(open()).toEqual(['b', 'c', 'd']);
  });

  test('does not grow for ever', () => {
    for (let round = 0; round < 120; round++) {
      annotateRun(join(root, 'a'), [remarkEvent({ kind: 'note', text: `note ${round}` }, new Date())]);
      open();
    }
    expect(readFileSync(index(), 'utf8').trim().split('\n').length).toBeLessThan(110);
    expect(findInHistory(root, { text: 'note 119' })[0]?.notes).toHaveLength(120);
  });

  test('cannot be written: the history opens all the same', () => {
    rmSync(index());
    mkdirSync(index());
    expect(open()).toEqual(['a', 'b', 'c']);
    chmodSync(root, 0o555);
    try {
      expect(open()).toEqual(['a', 'b', 'c']);
    } finally {
      chmodSync(root, 0o755);
    }
  });
});

test.runIf(process.getuid?.() === 0)('on a full disk the history opens without its index', () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', root]);
  try {
    for (const name of ['a', 'b']) writeRun(name);
    try {
      writeFileSync(join(root, 'ballast'), Buffer.alloc(256 * 1024));
    } catch {
      // As much as there is room for.
    }
    for (let look = 0; look < 2; look++) expect(names(findInHistory(root)).sort()).toEqual(['a', 'b']);
    expect(findInHistory(root, { text: 'well' })).toHaveLength(2);
  } finally {
    execFileSync('umount', [root]);
  }
});

test('folders without a run, and a file where a folder should be, are passed over', () => {
  mkdirSync(join(root, 'empty', 'deeper'), { recursive: true });
  mkdirSync(join(root, '.hidden'));
  writeFileSync(join(root, 'a-file'), '');
  mkdirSync(join(root, 'odd', runFiles.events), { recursive: true });
  writeRun('good');
  expect(names(findInHistory(root))).toEqual(['good']);
  expect(() => findInHistory(join(root, 'absent'))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});

test('a run is named by its folder, its name or its id', () => {
  const path = writeRun('plan/a');
  writeRun('b', { startedAt: '2026-11-21T00:00:00.000Z' });
  for (const reference of [path, 'plan/a', 'a', '2026-11-20T10-00-00-000Z'])
    expect(runFolderOf(root, reference)).toBe(path);
  expect(() => runFolderOf(root, 'nothing')).toThrow(
    'Expected the folder, name or id of a run for run but received nothing',
  );
  writeRun('c');
  expect(() => runFolderOf(root, '2026-11-20T10-00-00-000Z')).toThrow('Expected the name of one run');
});

describe('baselines', () => {
  test('one run of each experiment is pinned, and another one takes its place', () => {
    expect(readBaselines(root)).toEqual({});
    expect(pinBaseline(root, writeRun('plan/a'))).toBe('stream-load');
    pinBaseline(root, writeRun('b', { experiment: 'link' }));
    pinBaseline(root, writeRun('c'));
    expect(readBaselines(root)).toEqual({ 'stream-load': 'c', link: 'b' });
    expect(baselineOf(root, 'link')).toBe(join(root, 'b'));
    unpinBaseline(root, 'link');
    expect(() => baselineOf(root, 'link')).toThrow('Expected a pinned run of link');
    expect(() => unpinBaseline(root, 'link')).toThrow('Expected an experiment with a baseline');
  });

  test('a run that did not end, lies elsewhere or is gone is none', () => {
    const { recorder } = recorderIn(join(root, 'open'));
    expect(() => pinBaseline(root, join(root, 'open'))).toThrow('a run that came to its end');
    recorder.end('finished', 'PASS', '');
    expect(() => pinBaseline(join(root, 'elsewhere'), join(root, 'open'))).toThrow('a run below');
    pinBaseline(root, join(root, 'open'));
    rmSync(join(root, 'open'), { recursive: true });
    expect(() => baselineOf(root, 'stream-load')).toThrow('which is gone');
  });

  test('an INVALID run is none, whatever pinned it', () => {
    const path = writeRun('a', { verdict: 'INVALID' });
    const refused = 'Expected a run that is PASS, WARN or FAIL';
    expect(() => pinBaseline(root, path)).toThrow(`${refused} for run but received ${path} (INVALID)`);
    expect(readBaselines(root)).toEqual({});
    writeFileSync(join(root, baselineFile), JSON.stringify({ 'stream-load': 'a' }));
    expect(() => baselineOf(root, 'stream-load')).toThrow(`${refused} for baseline`);
  });

  test('a spoilt file is refused and not written over', () => {
    const path = writeRun('a');
    writeFileSync(join(root, baselineFile), '{"stream-load": ');
    expect(() => pinBaseline(root, path)).toThrow('Expected names of run folders by experiment');
    expect(existsSync(join(root, baselineFile))).toBe(true);
  });
});
