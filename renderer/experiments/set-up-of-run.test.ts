import { expect, test } from 'vitest';
import { streamLoadDeclaration } from '../../app/experiments/stream-load/declaration';
import { fieldSchemaOf } from '../../app/protocol/field-schema';
import { fieldSpecs } from '../forms/field-spec';
import { parametersOf } from '../forms/form-values';
import { setUpOf } from './set-up-of-run';

const { parameters: schema } = streamLoadDeclaration;
const fields = fieldSpecs(fieldSchemaOf(schema));

test('the form of an old run gives the parameters of that run again', () => {
  const parameters = schema.parse({
    source: '/clips/flares.mov',
    holdSeconds: 7.5,
    stopOn: ['loss', 'cpu'],
    inject: 'miss:10-14',
    audio: false,
  });
  const setUp = setUpOf({ experiment: 'stream-load', parameters, thresholdProfile: 'flawless' });
  expect(setUp?.profile).toBe('flawless');
  expect(schema.parse(parametersOf(fields, setUp?.values ?? {}))).toEqual(parameters);
});

test('what an older or newer version knew is left out, and what it lacks has its default', () => {
  const parameters = { holdSeconds: 7, colour: 'green' };
  const setUp = setUpOf({ experiment: 'stream-load', parameters });
  expect(setUp?.values).not.toHaveProperty('colour');
  expect(schema.parse(parametersOf(fields, setUp?.values ?? {}))).toEqual(schema.parse({ holdSeconds: 7 }));
});

test('a profile out of a file is that of the settings; a live run has no form', () => {
  const run = { parameters: {}, thresholdProfile: 'own-limits' };
  expect(setUpOf({ ...run, experiment: 'stream-load' })?.profile).toBeNull();
  expect(setUpOf({ ...run, experiment: 'live' })).toBeNull();
});
