import { expect, test, vi } from 'vitest';
import { throwAll, wrongBy } from './all-wrong';
import { badInput } from './errors';

const wrong = (field: string) => badInput(field, 'less', 9);
const refuse = (error: unknown) => () => {
  throw error;
};

test('all that is wrong is one error, in its order; nothing wrong is none', async () => {
  expect(() => throwAll([])).not.toThrow();
  const found = await wrongBy(
    refuse(wrong('a')),
    async () => 1,
    async () => throwAll([wrong('b'), wrong('c')]),
  );
  expect(found.map(({ field }) => field)).toEqual(['a', 'b']);
  const fields = vi.fn(() => throwAll(found));
  expect(fields).toThrow(
    expect.objectContaining({
      field: 'a',
      others: [expect.objectContaining({ field: 'b' }), expect.objectContaining({ field: 'c' })],
    }),
  );
});

test('a fault of our own is not taken for a wrong value', async () => {
  await expect(wrongBy(refuse(new TypeError('ours')))).rejects.toThrow(TypeError);
});
