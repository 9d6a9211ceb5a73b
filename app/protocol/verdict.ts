export const verdicts = ['PASS', 'WARN', 'FAIL', 'INVALID'] as const;

/** INVALID: the instrument itself could not keep up, so nothing is said about the thing under test. */
export type Verdict = (typeof verdicts)[number];

/** The worse of two verdicts; INVALID outranks all, since what it covers was not measured. */
export function worseVerdict(a: Verdict, b: Verdict): Verdict {
  return verdicts.indexOf(a) >= verdicts.indexOf(b) ? a : b;
}
