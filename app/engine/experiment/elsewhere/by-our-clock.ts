/** How far the clocks of two machines may drift apart. */
const apartShare = 0.1;

/** What our clock sees at least of a time that another machine measures by its own. */
export function leastByOurClock(seconds: number): number {
  return seconds * (1 - apartShare);
}

/** Why a run that came to its end lacks rows, as it follows "the experiment"; null: it has all. */
export function endedAfter(rows: number, wanted: number): string | null {
  return rows >= wanted ? null : `ended after ${rows} of ${wanted} rows`;
}
