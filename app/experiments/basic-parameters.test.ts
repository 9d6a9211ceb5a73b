import { expect, test } from 'vitest';
import { fieldSchemaOf } from '../protocol/field-schema';
import { declarations } from './declarations';

test.each(declarations)(
  '$id has three to six basic parameters, and all that it requires are among them',
  (of) => {
    const { basic, parameters } = of;
    const names = Object.keys(fieldSchemaOf(parameters).properties ?? {});
    expect(new Set(basic).size).toBe(basic.length);
    expect(names).toEqual(expect.arrayContaining([...basic]));
    expect(basic.length).toBeGreaterThanOrEqual(Math.min(3, names.length));
    expect(basic.length).toBeLessThanOrEqual(6);
    const result = parameters.safeParse({});
    const required = result.success ? [] : result.error.issues.map(({ path: [name] }) => String(name));
    expect(basic).toEqual(expect.arrayContaining(required));
  },
);
