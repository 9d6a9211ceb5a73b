import { expect, test } from 'vitest';
import { declarations } from '../../app/experiments/declarations';
import { fieldSchemaOf } from '../../app/protocol/field-schema';
import { type FieldSpec, fieldSpecs } from './field-spec';
import { changedParameters, isChanged, parametersOf, valuesOf } from './form-values';
import { fieldOf, problemsByField } from './use-check';

function fieldsOf(experiment: string): FieldSpec[] {
  const declaration = declarations.find(({ id }) => id === experiment);
  if (!declaration) throw new Error(`There is no experiment ${experiment}`);
  return fieldSpecs(fieldSchemaOf(declaration.parameters));
}

function field(experiment: string, name: string): FieldSpec {
  const found = fieldsOf(experiment).find((each) => each.name === name);
  if (!found) throw new Error(`${experiment} has no parameter ${name}`);
  return found;
}

test('a unit comes from the name, and stands neither in the label nor in the help', () => {
  expect(field('stream-load', 'holdSeconds')).toMatchObject({
    ...{ label: 'Hold', unit: 's', kind: 'number', range: '0.5 to 86,400', initial: '60' },
    help: 'Measured time of each row',
  });
  expect(field('storage', 'sizeMib')).toMatchObject({ label: 'Size', unit: 'MiB' });
  expect(field('link', 'lineRateMbps')).toMatchObject({ label: 'Line rate', unit: 'Mb/s' });
  expect(field('codec-quality', 'leastPsnrDb')).toMatchObject({ label: 'Least PSNR', unit: 'dB' });
  expect(field('stream-load', 'maxStreams')).toMatchObject({ label: 'Max streams', unit: '' });
});

test('each kind of schema has a field of its own', () => {
  expect(field('stream-load', 'pixelFormat')).toMatchObject({ kind: 'choice', options: ['uyvy', 'bgra'] });
  expect(field('stream-load', 'sources')).toMatchObject({ kind: 'choice', options: ['', 'shared', 'each'] });
  expect(field('stream-load', 'audio')).toMatchObject({ kind: 'switch', initial: true });
  expect(field('stream-load', 'stopOn')).toMatchObject({
    kind: 'choices',
    initial: ['sender-miss', 'loss', 'invalid'],
  });
  expect(field('stream-load', 'mix')).toMatchObject({ kind: 'lines', initial: '', isOptional: true });
  expect(field('link', 'streams')).toMatchObject({ kind: 'numbers', initial: '1', range: '1 to 128' });
  expect(field('stream-load', 'source')).toMatchObject({ kind: 'text', initial: 'white-line' });
});

test('a form that no one touched gives the defaults of every experiment', () => {
  for (const { id, parameters } of declarations) {
    const fields = fieldsOf(id);
    const typed = parametersOf(fields, valuesOf(fields));
    expect(parameters.parse(typed), id).toEqual(parameters.parse({}));
    expect(changedParameters(fields, valuesOf(fields)), id).toEqual({});
  }
});

test('parameters come back out of the form as they went in', () => {
  const given = {
    ...{ folders: ['/media/a b', '/media/c'], sizeMib: 16, holdSeconds: 1.5 },
    ...{ tests: ['SEQ1M-Q1T1'], operations: ['read'], lineRateMbps: 1000 },
  };
  const fields = fieldsOf('storage');
  expect(changedParameters(fields, valuesOf(fields, given))).toEqual(given);
  const sizes = { datagramBytes: [64, 1472], protocols: ['udp'] };
  const ofLink = fieldsOf('link');
  expect(changedParameters(ofLink, valuesOf(ofLink, sizes))).toEqual(sizes);
});

test('what is no number is handed on as it was typed, and what is optional and empty is left out', () => {
  const fields = fieldsOf('stream-load');
  const values = { ...valuesOf(fields), maxStreams: '4x', holdSeconds: '', goal: ' ', mix: '\n noise \n\n' };
  const parameters = parametersOf(fields, values);
  expect(parameters).toMatchObject({ maxStreams: '4x', holdSeconds: '', mix: ['noise'] });
  expect(parameters).not.toHaveProperty('goal');
  expect(parameters).not.toHaveProperty('preload');
});

test('a list that somebody emptied is an empty list, not the default', () => {
  const fields = fieldsOf('stream-load');
  expect(changedParameters(fields, { ...valuesOf(fields), stopOn: [] })).toEqual({ stopOn: [] });
  const ofQuality = fieldsOf('codec-quality');
  expect(changedParameters(ofQuality, { ...valuesOf(ofQuality), crops: '' })).toEqual({ crops: [] });
});

test('a field is changed while something else stands there than its default', () => {
  const fields = fieldsOf('stream-load');
  const audio = field('stream-load', 'audio');
  const values = valuesOf(fields);
  expect(isChanged(audio, values)).toBe(false);
  expect(isChanged(audio, { ...values, audio: false })).toBe(true);
});

test('a problem of an entry is said at its list', () => {
  expect(fieldOf({ code: 'BAD_INPUT', message: '', field: 'folders.1' })).toBe('folders');
  expect(fieldOf(null)).toBeNull();
});

test('all fields that are wrong are marked at once, each with its own problem', () => {
  const wrong = (field: string, message: string) => ({ code: 'BAD_INPUT' as const, message, field });
  const problem = {
    ...wrong('maxStreams', 'too many'),
    others: [wrong('holdSeconds', 'no number'), wrong('folders.1', 'empty'), wrong('folders.2', 'empty too')],
  };
  const marked = [...problemsByField(problem)].map(([field, { message }]) => [field, message]);
  expect(marked).toEqual([
    ['maxStreams', 'too many'],
    ['holdSeconds', 'no number'],
    ['folders', 'empty'],
  ]);
  expect(problemsByField(null).size).toBe(0);
});
