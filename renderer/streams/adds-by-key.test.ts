import { expect, test } from 'vitest';
import { addsByKey } from './adds-by-key';

const chosen = { type: 'radio', checked: true };
const plain = { target: chosen, repeat: false, ctrlKey: false, altKey: false, metaKey: false };

test.each([
  ['Space on what is chosen', { key: ' ' }, true],
  ['Enter on what is chosen', { key: 'Enter' }, true],
  ['Space on another one, which it chooses', { key: ' ', target: { ...chosen, checked: false } }, false],
  ['an arrow, which chooses the next', { key: 'ArrowDown' }, false],
  ['a key that is held', { key: ' ', repeat: true }, false],
  ['Ctrl+Enter', { key: 'Enter', ctrlKey: true }, false],
  ['a checkbox', { key: ' ', target: { type: 'checkbox', checked: true } }, false],
  ['Enter in a field', { key: 'Enter', target: { type: 'text', checked: false } }, false],
  ['a button', { key: 'Enter', target: { type: 'submit' } }, false],
  ['nothing', { key: ' ', target: {} }, false],
])('%s: %s', (_, pressed, adds) => {
  expect(addsByKey({ ...plain, ...pressed })).toBe(adds);
});
