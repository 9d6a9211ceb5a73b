import { expect, test } from 'vitest';
import { streamLoadParameters } from '../../app/experiments/stream-load/declaration';
import {
  type BatteryClipFile,
  missingOf,
  parametersOf,
  playMovie,
  playMovieOf,
  problemsAt,
  sourceOf,
  useSettings,
} from './source-settings';

test('the form as it opens is what the engine takes by default', () => {
  expect(parametersOf(useSettings.getState())).toEqual(streamLoadParameters.parse({}));
});

test('what is typed and switched goes into the parameters', () => {
  const settings = { ...useSettings.getState(), holdSeconds: '7', audio: false };
  expect(parametersOf(settings)).toMatchObject({ holdSeconds: 7, audio: false });
});

test('what is no number is handed on as it was typed, so that the engine can say so', () => {
  const settings = { ...useSettings.getState(), maxStreams: '500', holdSeconds: 'abc' };
  expect(parametersOf(settings)).toMatchObject({ maxStreams: 500, holdSeconds: 'abc' });
});

test('a file that is yet to be chosen is no mistake while others are named', () => {
  const wrong = (field: string) => ({ code: 'BAD_INPUT' as const, message: `${field} is wrong`, field });
  const problem = { ...wrong('source'), others: [wrong('maxStreams')] };
  const settings = useSettings.getState();
  const { maxStreams, ...others } = problemsAt(problem, { ...settings, kind: 'movie', moviePath: null });
  expect(maxStreams).toBe('maxStreams is wrong');
  expect(others).toEqual({});
  expect(problemsAt(problem, { ...settings, kind: 'movie', moviePath: '/a.mov' })).toEqual({
    ...{ source: 'source is wrong', maxStreams: 'maxStreams is wrong' },
  });
  expect(problemsAt(null, settings)).toEqual({});
});

test('a file that was asked for stays missing until it is chosen, whatever the engine says meanwhile', () => {
  const settings = { ...useSettings.getState(), kind: 'movie' as const, moviePath: null };
  const source = missingOf(settings) ?? expect.fail('the movie is missing');
  expect(problemsAt(null, { ...settings, problems: { source } })).toEqual({ source });
  expect(problemsAt(null, { ...settings, moviePath: '/a.mov', problems: { source } })).toEqual({});
});

test('a movie is one of the machine that sends: of another one it is not played', () => {
  const initial = useSettings.getState();
  playMovieOf('render-1', 'show/opening.mov');
  const there = useSettings.getState();
  expect(parametersOf(there)).toMatchObject({ source: 'show/opening.mov', sendOn: 'render-1' });
  expect(missingOf(there)).toBeNull();
  for (const sendOn of ['render-2', null]) {
    expect(sourceOf({ ...there, sendOn })).toBe('');
    expect(missingOf({ ...there, sendOn })).not.toBeNull();
  }
  // One that is dropped is of this machine.
  playMovie('/clips/a.mov');
  expect(parametersOf(useSettings.getState())).toMatchObject({ source: '/clips/a.mov' });
  expect(useSettings.getState().sendOn).toBeNull();
  useSettings.setState(initial, true);
});

test('a test clip lies on this machine, so that another one cannot send it', () => {
  const clip = { name: 'flares', path: '/clips/f.mov' } as BatteryClipFile;
  const settings = { ...useSettings.getState(), kind: 'clip' as const, clip, sendOn: 'render-1' };
  expect(sourceOf(settings)).toBe('');
  expect(missingOf(settings)).toContain('choose a movie on render-1');
  expect(missingOf({ ...settings, sendOn: null })).toBeNull();
});
