import type { Of, ReasonWords } from '../../facts/alike-facts';

export const preflightReasons = {
  /** What one check found, in the words of its figure `preflight.found`. */
  'check-not-ok': (of: Of<{ check: string; state: string; found: string }>) => of.word('found'),
} satisfies ReasonWords;
