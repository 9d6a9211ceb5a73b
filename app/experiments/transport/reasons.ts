import type { Of, ReasonWords } from '../../facts/alike-facts';

export const transportReasons = {
  'other-transport': (of: Of<{ asked: string; seen: string }>) => {
    const needs =
      of.word('asked') === 'multicast'
        ? '; multicast needs receivers in a network namespace, and a route to its groups on both sides'
        : '';
    return `${of.word('asked')} was asked for, ${of.word('seen')}${needs}`;
  },
} satisfies ReasonWords;
