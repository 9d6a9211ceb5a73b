import { expect, test } from 'vitest';
import { saidParts } from './said-parts';

test('a sentence alone has no causes', () => {
  expect(saidParts('6 streams ran without loss')).toEqual({
    ...{ sentence: '6 streams ran without loss', causes: [], toDo: '' },
  });
});

test('what found the limit follows one by one, what to do apart, and parentheses stay whole', () => {
  const missed =
    'with 2 streams: the sender missed 5 frames (rule: it misses none; from 20:38:12 to 20:38:13 UTC)';
  const others = 'other programs took 84 % of the CPU (limit 25 %)';
  const toDo = 'what to do: close other programs';
  expect(saidParts(`1 stream ran without loss; ${missed}; ${others}; ${toDo}`)).toEqual({
    ...{ sentence: '1 stream ran without loss', causes: [missed, others], toDo },
  });
});
