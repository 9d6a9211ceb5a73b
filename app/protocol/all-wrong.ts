import { eachProblem, toProblem, WhitelineError } from './errors';

/** Throws all that is wrong as one error, so that a form shows it at once: the first, with the others beside it. */
export function throwAll(wrong: readonly WhitelineError[]): void {
  const [first, ...others] = wrong.flatMap((error) => eachProblem(toProblem(error)));
  if (first) throw new WhitelineError({ ...first, others });
}

/** What each of some checks has against a value; what is no problem of ours is thrown at once. */
export async function wrongBy(...checks: readonly (() => unknown)[]): Promise<WhitelineError[]> {
  const wrong: WhitelineError[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof WhitelineError)) throw error;
      wrong.push(error);
    }
  }
  return wrong;
}
