import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { Problem } from '../../app/protocol/errors';
import { type FieldSpec, fieldSpecs } from './field-spec';
import { Form } from './form';
import { type FormValues, valuesOf } from './form-values';

const number = { type: 'number', default: 1, description: 'What it is for' };
const properties = { first: number, second: { ...number, title: 'The second one' }, third: number };
const fields = fieldSpecs({ properties }, ['first']);

function drawn(change: FormValues = {}, problem: Problem | null = null, of: FieldSpec[] = fields): string {
  const values = { ...valuesOf(of), ...change };
  return renderToStaticMarkup(
    <Form label="Settings" fields={of} {...{ values, problem }} onChange={vi.fn()} />,
  );
}

const namesIn = (html: string): string[] =>
  [...html.matchAll(/data-field="(\w+)"/g)].map(([, name = '']) => name);

test('advanced fields are folded while all of them are at their defaults', () => {
  const html = drawn({ first: '5' });
  expect(namesIn(html)).toEqual(['first']);
  expect(html).toContain('aria-expanded="false"');
  expect(html).toContain('2 settings, all at their defaults');
});

test('one that was filled in otherwise is seen, and how many are', () => {
  const html = drawn({ third: '5' });
  expect(namesIn(html)).toEqual(['first', 'second', 'third']);
  expect(html).toContain('2 settings, 1 changed');
});

test('one with an error is seen, with its title in the error', () => {
  const message = 'Expected less for second but received 1';
  const html = drawn({}, { code: 'BAD_INPUT', field: 'second', message });
  expect(namesIn(html)).toEqual(['first', 'second', 'third']);
  expect(html).toContain('Expected less for “The second one” but received 1');
});

test('a form without advanced fields has nothing to unfold, and each field has its help', () => {
  const html = drawn({}, null, fieldSpecs({ properties }));
  expect(namesIn(html)).toEqual(['first', 'second', 'third']);
  expect(html).not.toContain('aria-expanded');
  expect(html.match(/title="What it is for"/g)).toHaveLength(3);
});
