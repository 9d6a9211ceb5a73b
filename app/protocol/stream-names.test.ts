import { expect, test } from 'vitest';
import { lowestFreeNumber, passedOver, senderName, streamNameOf } from './stream-names';

test.each([
  ['nothing is taken', [], 1],
  ['the first ones are taken', ['Stage 1', 'Stage 2'], 3],
  ['one between them has ended', ['Stage 1', 'Stage 3'], 2],
  ['only others are taken', ['Stages 1', 'Stage', 'Stage 01', 'My Stage 1'], 1],
  ['they differ by case alone', ['STAGE 1'], 2],
  ['a further receiver has the name of its sender in its own', ['Stage 1', 'Stage 1, receiver 2'], 2],
])('the lowest free number: %s', (_, taken, number) => {
  expect(lowestFreeNumber('Stage', taken)).toBe(number);
  expect(senderName('Stage', number)).toBe(`Stage ${number}`);
});

test('names that others have are named, in their order', () => {
  expect(passedOver('Stage', ['Stage 2', 'Stage 5'])).toEqual(['Stage 1', 'Stage 3', 'Stage 4']);
  expect(passedOver('Stage', ['Stage 1', 'Stage 2'])).toEqual([]);
  expect(passedOver('Stage', [])).toEqual([]);
});

test.each(['Whiteline', 'Bühne links', 'Stage (left) #2', 'x'.repeat(60)])('%s is a name', (name) => {
  expect(streamNameOf(name)).toBe(name);
});

test.each([
  ['', '1 to 60 characters'],
  ['x'.repeat(61), '1 to 60 characters'],
  [' Stage', 'a name without spaces before and after it'],
  ['Stage ', 'a name without spaces before and after it'],
  ['Sta\nge', 'a name of visible characters'],
  ['Sta\u200bge', 'a name of visible characters'],
])('%j is refused', (name, expected) => {
  expect(() => streamNameOf(name)).toThrow(`Expected ${expected} for name`);
});
