import type { Of, ReasonWords } from '../../facts/alike-facts';

export const matrixReasons = {
  'pair-not-measured': (of: Of<{ why: string }>) => `not measured: ${of.word('why')}`,
  'pair-machine-gone': (of: Of<{ machine: string; why: string }>) =>
    `not measured: ${of.word('machine')} left the matrix before: ${of.word('why')}`,
} satisfies ReasonWords;
