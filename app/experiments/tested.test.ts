import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRun } from '../engine/sessions/read-run';
import { testedOf } from './tested';

test('a generated source has the format of the parameters where the run recorded none', () => {
  const parameters = { source: 'noise', format: '640x360@30' };
  expect(testedOf({ parameters, environment: { source: { kind: 'noise' } } })).toEqual({
    ...{ sources: ['noise'], formats: ['640x360@30'] },
  });
});

test('a run that sent nothing has no format, whatever size it calculated with', () => {
  const storage = { folders: ['/media'], format: '3840x2160@60', streams: 1 };
  expect(testedOf({ parameters: storage, environment: {} })).toEqual({ sources: [], formats: [] });
});

test('a movie is named by its file, and has the format that was sent', () => {
  const parameters = { source: 'C:\\shows\\Opener 4K.mov', format: '1280x720@60' };
  const movie = { kind: 'hap', path: 'C:\\shows\\Opener 4K.mov', format: '3840x2160@50' };
  expect(testedOf({ parameters, environment: { source: movie } })).toEqual({
    ...{ sources: ['Opener 4K.mov'], formats: ['3840x2160@50'] },
  });
});

test('of an older run a movie has its own format or what was set beside it, never that of generated sources', () => {
  const older = { kind: 'movie', path: '/media/a.mp4', ownFormat: '1920x1080@25' };
  const of = (parameters: Record<string, unknown>, source: object) =>
    testedOf({ parameters: { format: '1280x720@60', ...parameters }, environment: { source } }).formats;
  expect(of({}, older)).toEqual(['1920x1080@25']);
  expect(of({ scale: '640x360', rate: '50' }, older)).toEqual(['640x360@50']);
  expect(of({}, { kind: 'movie', name: 'a.mp4', machine: 'render-1' })).toEqual([]);
});

test('several sources are all named, each once', () => {
  const sources = ['white-line', 'noise', 'noise'].map((kind) => ({ kind, format: '640x360@30' }));
  expect(testedOf({ parameters: {}, environment: { source: sources[0], sources } })).toEqual({
    ...{ sources: ['white-line', 'noise'], formats: ['640x360@30'] },
  });
});

test('a watch has its senders, and the formats that came', () => {
  const parameters = { names: ['RENDER-1 (Whiteline 1)', 'CAM (2)'] };
  const environment = { receivedFormats: ['1280x720@59.94'] };
  expect(testedOf({ parameters, environment })).toEqual({
    ...{ sources: ['RENDER-1 (Whiteline 1)', 'CAM (2)'], formats: ['1280x720@59.94'] },
  });
});

test('a run without streams, and one with anything in its files, has none', () => {
  const none = { sources: [], formats: [] };
  expect(
    testedOf({ parameters: { streams: [0], source: 'white-line', format: '1x1@1' }, environment: {} }),
  ).toEqual(none);
  const spoilt = { source: 7, names: 'a', clips: [1], sizes: null, streams: 'many' };
  expect(testedOf({ parameters: spoilt, environment: { source: 'x', receivedFormats: 3 } })).toEqual(none);
});

test.each([
  ['codec-quality', ['flares'], ['640x360@30']],
  ['live', ['white-line'], ['640x360@30']],
  ['matrix', ['white-line'], ['320x180@30']],
  ['watch', ['v1sender 1'], []],
  ['link', [], []],
  ['quiet', [], []],
])('the recorded run of %s', (name, sources, formats) => {
  expect(testedOf(readRun(join('test-content/runs', name)))).toEqual({ sources, formats });
});
