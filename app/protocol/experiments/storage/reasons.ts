import type { ReasonWords } from '../../alike-facts';

export const storageReasons = {
  'passes-short': (of) => `${of.number('done')} of ${of.number('wanted')} passes were measured`,
} satisfies ReasonWords;
