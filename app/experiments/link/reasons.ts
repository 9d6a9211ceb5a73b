import type { ReasonWords } from '../../facts/alike-facts';

export const linkReasons = {
  'repeats-short': (of) => `${of.number('done')} of ${of.number('wanted')} repeats were measured`,
  'target-not-counted': (of) =>
    `its target is what TCP reached, and that measurement does not count, because ${of.word('why')}`,
} satisfies ReasonWords;
