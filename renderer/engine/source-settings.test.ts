import { expect, test } from 'vitest';
import { streamLoadParameters } from '../../app/experiments/stream-load/declaration';
import { missingOf, parametersOf, problemsAt, useSettings } from './source-settings';

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
