import { expect, test } from 'vitest';
import { parameterSchemas } from '../engine/runs/parameters';
import { declarations } from './declarations';
import { presentNameOf, withPresentNames } from './parameter-names';

test('recorded parameters of an earlier version have their present names, and all others stay as they are', () => {
  expect(withPresentNames('link', { durationSeconds: 9, repeats: 2 })).toEqual({
    holdSeconds: 9,
    repeats: 2,
  });
  expect(withPresentNames('watch', { durationSeconds: 9 })).toEqual({ durationSeconds: 9 });
});

test.each(declarations)('no parameter of $id has the name of an earlier one', (declaration) => {
  const names = Object.keys(parameterSchemas(declaration));
  for (const name of names) expect(presentNameOf(declaration.id, name)).toBeUndefined();
});
