import type { ReasonWords } from '../../alike-facts';

export const linkReasons = {
  'repeats-short': (of) => `${of.number('done')} of ${of.number('wanted')} repeats were measured`,
} satisfies ReasonWords;
