import type { Of, ReasonWords } from '../../facts/alike-facts';

export const codecQualityReasons = {
  'nothing-compared': (of: Of<{ why: string }>) => `no frame could be compared: ${of.word('why')}`,
} satisfies ReasonWords;
