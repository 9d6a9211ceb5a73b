import Ajv2020 from 'ajv/dist/2020';
import { expect, test } from 'vitest';
import { planJsonSchema } from '../experiments/plan-schema';
import { runSchema } from '../facts/run';
import { exampleRun } from '../testing/example-run';
import { runJsonSchema, sessionJsonSchema } from './json-schema';

test('docs/schema/run.schema.json is what the code says; `vitest -u` writes it', async () => {
  await expect(runJsonSchema()).toMatchFileSnapshot('../../docs/schema/run.schema.json');
});

test('docs/schema/plan.schema.json is what the code says; `vitest -u` writes it', async () => {
  await expect(planJsonSchema()).toMatchFileSnapshot('../../docs/schema/plan.schema.json');
});

test('docs/schema/session.schema.json is what the code says; `vitest -u` writes it', async () => {
  await expect(sessionJsonSchema()).toMatchFileSnapshot('../../docs/schema/session.schema.json');
});

test('the published schema takes a run that the code takes', () => {
  const validate = new Ajv2020().compile(JSON.parse(runJsonSchema()));
  const run = exampleRun();
  expect(runSchema.safeParse(run).success).toBe(true);
  expect(validate(run), JSON.stringify(validate.errors)).toBe(true);
});

test('the published schema refuses an unknown verdict, and takes a row that is open', () => {
  const validate = new Ajv2020().compile(JSON.parse(runJsonSchema()));
  const run = exampleRun();
  const withRow = (change: object) => ({ ...run, rows: [{ ...run.rows[0], ...change }] });
  expect(validate(withRow({ verdict: 'MAYBE' }))).toBe(false);
  expect(validate(withRow({ verdict: null, to: null }))).toBe(true);
});

test.each([
  ['a count below zero', { framesDropped: -1 }],
  ['half a frame', { framesDropped: 0.5 }],
  ['a word for a number', { longestGapMs: 'long' }],
  ['a code health above one', { codeHealthMin: 1.5 }],
  ['a latency below zero', { 'latencyMs.p99': -1 }],
])('the published schema refuses %s', (_, fault) => {
  const validate = new Ajv2020().compile(JSON.parse(runJsonSchema()));
  const run = exampleRun();
  const [row] = run.rows;
  const broken = { ...run, rows: [{ ...row, figures: { ...row?.figures, ...fault } }] };
  expect(runSchema.safeParse(broken).success).toBe(false);
  expect(validate(broken)).toBe(false);
});
