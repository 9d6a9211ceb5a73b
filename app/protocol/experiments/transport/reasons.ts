import type { ReasonWords } from '../../alike-facts';

export const transportReasons = {
  'other-transport': (of) => `${of.word('asked')} was asked for, ${of.word('seen')}`,
} satisfies ReasonWords;
