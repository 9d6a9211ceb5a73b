import { expect, test } from 'vitest';
import type { Of } from './alike-facts';
import { reasonOf, wordsOf } from './reason-words';

/** What must not compile: the compiler reports a line of these that does (`npm run check`). */
test('words ask a fact for what it has, by its kind', () => {
  type Data = { frames: number; method: string; isAtLeast?: boolean };
  const asks = (of: Of<Data>): unknown[] => [
    of.count('frames'),
    of.word('method'),
    of.is('isAtLeast'),
    // @ts-expect-error: it has no such number, which would read 0
    of.count('frame'),
    // @ts-expect-error
    of.numbers('picture'),
    // @ts-expect-error
    of.number('method'),
    // @ts-expect-error
    of.word('frames'),
    // @ts-expect-error
    of.is('method'),
  ];
  expect(asks).toBeTypeOf('function');
});

test('words of a part ask for no more than the whole has', () => {
  const part = (of: Of<{ frames: number }>): string => of.number('frames');
  const other = (of: Of<{ frames: number; pictures?: number }>): string => of.number('pictures');
  const whole = (of: Of<{ frames: number; method: string }>): string[] => [
    part(of),
    // @ts-expect-error: it never has pictures
    other(of),
  ];
  expect(whole).toBeTypeOf('function');
});

test('a finding is made of the data that its words tell, and of nothing else', () => {
  const misspelt = { frames: 2, why: 'late' };
  const refused = () => [
    // @ts-expect-error: without its data
    reasonOf('frames-unreported'),
    // @ts-expect-error: without a part of it
    reasonOf('frames-missing', { frames: 2 }),
    // @ts-expect-error: not known
    reasonOf('frames-unreported', { frames: null }),
    // @ts-expect-error: words
    reasonOf('frames-unreported', { frames: '2' }),
    // @ts-expect-error: a name that nothing tells
    reasonOf('frames-unreported', { frames: 2, frame: 2 }),
    // @ts-expect-error: the same in a variable
    reasonOf('frames-unreported', misspelt),
    // @ts-expect-error: a rule without its limits
    reasonOf('frames-unreported', { frames: 2, rule: 'most-lost' }),
    // @ts-expect-error: no code
    reasonOf('frames-unknown', { frames: 2 }),
  ];
  expect(refused).toBeTypeOf('function');
});

test('any finding may say of which stream it is, and which rule it broke', () => {
  const rule = { rule: 'most-lost', mostFrames: 1, windowSeconds: 2 } as const;
  expect(wordsOf([reasonOf('frames-unreported', { frames: 2, stream: 'Left', ...rule })])).toBe(
    'Left: 2 frames did not arrive, nor did the sender’s records of them (rule: at most 1 frame lost in any 2 s)',
  );
});
