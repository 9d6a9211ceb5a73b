/** What is known about a limit: the largest number of streams that passed, and the smallest that did not. */
export interface Bounds {
  good: number;
  bad: number;
}

/** The number of streams to measure next, halfway; null once the limit stands between two neighbours. */
export function bisect({ good, bad }: Bounds): number | null {
  return bad - good > 1 ? Math.floor((good + bad) / 2) : null;
}

/** Most rows that a bisection takes. */
export function mostBisections({ good, bad }: Bounds): number {
  return Math.ceil(Math.log2(Math.max(1, bad - good)));
}
