import { expect, test } from 'vitest';
import { streamLoadParameters } from '../../app/protocol/experiments/stream-load';
import { parametersOf, useSettings } from './source-settings';

test('the form as it opens is what the engine takes by default', () => {
  expect(parametersOf(useSettings.getState())).toEqual(streamLoadParameters.parse({}));
});

test('what is typed and switched goes into the parameters', () => {
  const settings = { ...useSettings.getState(), holdSeconds: '7', audio: false };
  expect(parametersOf(settings)).toMatchObject({ holdSeconds: 7, audio: false });
});
