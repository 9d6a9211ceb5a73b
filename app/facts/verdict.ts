/** From the best to the worst, as the verdict of a run is found from those of its rows. */
export const verdicts = ['PASS', 'WARN', 'INVALID', 'FAIL'] as const;

/** INVALID: the instrument itself could not keep up, so nothing is said about the thing under test. */
export type Verdict = (typeof verdicts)[number];

/** The worse of two verdicts. A FAIL that is proved stays one, whatever else could not be measured. */
export function worseVerdict(a: Verdict, b: Verdict): Verdict {
  return verdicts.indexOf(a) >= verdicts.indexOf(b) ? a : b;
}
