import type { Of, ReasonWords } from '../../facts/alike-facts';

export const linkReasons = {
  'repeats-short': (of: Of<{ done: number; wanted: number }>) =>
    `${of.number('done')} of ${of.number('wanted')} repeats were measured`,
  'target-not-counted': (of: Of<{ why: string }>) =>
    `its target is what TCP reached, and that measurement does not count, because ${of.word('why')}`,
} satisfies ReasonWords;
