import type { AlikeFacts, ReasonWords } from '../../facts/alike-facts';
import type { Fact } from '../../facts/fact';
import { type Found, foundTextBy } from './found-reasons';

export const preflightReasons = {
  /** Rows of an earlier version have what the check found as a sentence, `found`. */
  'check-not-ok': (of: AlikeFacts) => {
    const code = of.word('foundCode', '');
    return foundTextBy(code, of) ?? of.word('found', code);
  },
} satisfies ReasonWords;

/** Has the data of what the check found among its own. */
export function checkNotOk(check: string, state: string, { code, data }: Found): Fact {
  const reason: keyof typeof preflightReasons = 'check-not-ok';
  return { code: reason, data: { check, state, foundCode: code, ...data } };
}
