import { type Of, oneDigit, type ReasonWords } from '../../facts/alike-facts';

export const matrixReasons = {
  'pair-not-measured': (of: Of<{ why: string }>) => `not measured: ${of.word('why')}`,
  'pair-machine-gone': (of: Of<{ machine: string; why: string }>) =>
    `not measured: ${of.word('machine')} left the matrix earlier: ${of.word('why')}`,
  'pair-link-carried': (of: Of<{ mbps: number }>) =>
    `before its stream the link carried ${of.number('mbps', oneDigit)} Mb/s by TCP`,
  'pair-link-carried-at-least': (of: Of<{ mbps: number }>) =>
    `before its stream the link carried at least ${of.number('mbps', oneDigit)} Mb/s by TCP`,
  'pair-link-below': (of: Of<{ mbps: number; leastMbps: number }>) =>
    `TCP carried ${of.number('mbps', oneDigit)} Mb/s (at least ${of.number('leastMbps', String)} Mb/s required)`,
  'pair-link-unknown': (of: Of<{ leastMbps: number; why: string }>) =>
    `whether TCP carries ${of.number('leastMbps', String)} Mb/s is not known: ${of.word('why')}`,
} satisfies ReasonWords;
