import type { ReasonWords } from '../../facts/alike-facts';

export const codecQualityReasons = {
  'nothing-compared': (of) => `no frame could be compared: ${of.word('why')}`,
} satisfies ReasonWords;
