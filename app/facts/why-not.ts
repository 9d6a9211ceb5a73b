import type { Fact } from './fact';
import { isUnjudged, unjudged } from './precedence';
import { guardCodes } from './reason-words';
import type { Verdict } from './verdict';

/** What is added to a row that was judged already, in the order of the table of precedence (docs/measurement.md, "Verdict"). */

interface Judged {
  verdict: Verdict;
  reason: readonly Fact[];
}

function isGuard({ code }: Fact): boolean {
  return guardCodes.has(code);
}

/** Where what was found ends in a reason. */
function foundIn({ verdict, reason }: Judged): { found: Fact[]; rest: Fact[] } {
  if (verdict === 'PASS') return { found: [], rest: reason.filter(isGuard) };
  const isFound = verdict === 'INVALID' ? isUnjudged : (fact: Fact): boolean => !isGuard(fact);
  return { found: reason.filter(isFound), rest: reason.filter((fact) => !isFound(fact)) };
}

/** The row is INVALID by `why`: what was found comes first, then why it is not judged. */
export function invalidBy(why: readonly Fact[], judged: Judged): { verdict: 'INVALID'; reason: Fact[] } {
  const { found, rest } = foundIn(judged);
  return { verdict: 'INVALID', reason: [...found.map(unjudged), ...why, ...rest] };
}

/** The reason with something else that was found, which stands before the guards and what is not judged. */
export function alsoFound({ verdict, reason }: Judged, more: readonly Fact[]): Fact[] {
  const isInvalid = verdict === 'INVALID';
  const end = reason.findIndex((fact) => (isInvalid ? !isUnjudged(fact) : isUnjudged(fact) || isGuard(fact)));
  const at = end < 0 ? reason.length : end;
  return [...reason.slice(0, at), ...(isInvalid ? more.map(unjudged) : more), ...reason.slice(at)];
}
