import { expect, test } from 'vitest';
import { declarations } from '../../app/experiments/declarations';
import { fieldSchemaOf } from '../../app/protocol/field-schema';
import { type FieldSpec, fieldSpecs } from './field-spec';
import { changedParameters, isChanged, parametersOf, valuesOf, withChosen } from './form-values';
import { fieldOf, problemsByField, problemsOf } from './use-check';

function fieldsOf(experiment: string): FieldSpec[] {
  const declaration = declarations.find(({ id }) => id === experiment);
  if (!declaration) throw new Error(`There is no experiment ${experiment}`);
  return fieldSpecs(fieldSchemaOf(declaration.parameters), declaration.basic);
}

function field(experiment: string, name: string): FieldSpec {
  const found = fieldsOf(experiment).find((each) => each.name === name);
  if (!found) throw new Error(`${experiment} has no parameter ${name}`);
  return found;
}

test('a unit comes from the name, and stands neither in the label nor in the help', () => {
  expect(field('stream-load', 'holdSeconds')).toMatchObject({
    ...{ label: 'Measured time per row', unit: 's', kind: 'number', range: '1.5 to 86,400', initial: '60' },
    help: 'Measured time of each row',
  });
  expect(field('storage', 'sizeMib')).toMatchObject({ label: 'Test file size', unit: 'MiB' });
  expect(field('link', 'lineRateMbps')).toMatchObject({ label: 'Link speed', unit: 'Mb/s' });
  expect(field('codec-quality', 'leastPsnrDb')).toMatchObject({
    label: 'Lowest PSNR that passes',
    unit: 'dB',
  });
  expect(field('stream-load', 'maxStreams')).toMatchObject({ label: 'Streams at most', unit: '' });
});

test.each(declarations)('each parameter of $id has a title of its own, and help that says more', ({ id }) => {
  const fields = fieldsOf(id);
  const labels = fields.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  for (const { name, label, help } of fields) {
    expect(label, name).toMatch(/^[A-Z].{2,}/);
    expect(label, name).not.toBe(name);
    expect(help, name).not.toBe('');
    expect(help, name).not.toBe(label);
  }
});

test('the basic fields are those of the declaration, and a form without any has all of them', () => {
  const basic = fieldsOf('stream-load').filter(({ isBasic }) => isBasic);
  expect(basic.map(({ name }) => name)).toEqual([
    ...['source', 'format', 'maxStreams', 'holdSeconds', 'sendOn', 'receiveOn'],
  ]);
  const schema = { properties: { a: { type: 'string' }, b: { type: 'number' } } };
  expect(fieldSpecs(schema).map(({ name, isBasic }) => [name, isBasic])).toEqual([
    ['a', true],
    ['b', true],
  ]);
});

test('a path that was chosen is one more line of a list, and the value of a text', () => {
  const folders = field('storage', 'folders');
  expect(withChosen(folders, {}, '/media/a')).toBe('/media/a');
  expect(withChosen(folders, { folders: '/media/a\n' }, '/media/b')).toBe('/media/a\n/media/b');
  expect(withChosen(field('stream-load', 'source'), { source: 'noise' }, '/a.mov')).toBe('/a.mov');
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

test('a problem of an entry is said at its list, and one of no field at the field that its remedy names', () => {
  const fields = fieldsOf('storage');
  const problem = { code: 'BAD_INPUT', message: '' } as const;
  expect(fieldOf({ ...problem, field: 'folders.1' }, fields)).toBe('folders');
  expect(fieldOf({ ...problem, field: 'disk', remedy: 'Choose a smaller sizeMib' }, fields)).toBe('sizeMib');
  expect(fieldOf({ ...problem, field: 'disk', remedy: 'Choose another disk' }, fields)).toBeNull();
});

test('a problem names fields by their titles', () => {
  const fields = fieldsOf('stream-load');
  const problem = {
    ...({ code: 'BAD_INPUT', field: 'goal' } as const),
    message: 'Expected no more than the maximum of 4 streams for goal but received 9',
    remedy: 'The run could never pass: lower the goal, or raise maxStreams',
  };
  const [said] = problemsOf(problem, fields);
  expect(said?.message).toBe(
    'Expected no more than the maximum of 4 streams for “Streams needed to pass” but received 9',
  );
  expect(said?.remedy).toBe('The run could never pass: lower the goal, or raise “Streams at most”');
  expect(problemsOf(problem, [{ name: 'goal' }])).toEqual([problem]);
  const remedy = 'Give --hold 5s or --max-streams 2, not --nothing';
  expect(problemsOf({ ...problem, remedy }, fields)[0]?.remedy).toBe(
    'Give “Measured time per row” 5s or “Streams at most” 2, not --nothing',
  );
  expect(fieldOf({ code: 'BAD_INPUT', message: '', remedy }, fields)).toBe('holdSeconds');
});

test('all fields that are wrong are marked at once, each with its own problem', () => {
  const wrong = (field: string, message: string) => ({ code: 'BAD_INPUT' as const, message, field });
  const problem = {
    ...wrong('maxStreams', 'too many'),
    others: [wrong('holdSeconds', 'no number'), wrong('folders.1', 'empty'), wrong('folders.2', 'empty too')],
  };
  const names = ['maxStreams', 'holdSeconds', 'folders'].map((name) => ({ name }));
  const marked = [...problemsByField(problem, names)].map(([field, { message }]) => [field, message]);
  expect(marked).toEqual([
    ['maxStreams', 'too many'],
    ['holdSeconds', 'no number'],
    ['folders', 'empty'],
  ]);
  expect(problemsByField(null, names).size).toBe(0);
});
