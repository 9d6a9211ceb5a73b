/** When a picture of an output was due, estimated from the pictures around it. */
export interface Due {
  /** By the picture that was least late: a picture may arrive late, but never early. */
  ns: number;
  /** How much later than that the picture was due by each of them. */
  laterNs: readonly number[];
}

/** @param each when the picture was due, by each of several pictures */
export function dueBy(each: readonly number[]): Due {
  const ns = Math.min(...each);
  return { ns, laterNs: each.map((one) => one - ns) };
}

/** Whether a repeat that came so long after the picture before it had a period of the output of its own. */
export function hasPeriod(sinceNs: number, periodNs: number): boolean {
  return sinceNs >= periodNs / 2;
}

const steadyPictures = 3;

/** Whether several pictures agree. If only one was this early, all others may be late by a period or more. */
export function isSteady({ laterNs }: Due, periodNs: number): boolean {
  const agreeing = laterNs.filter((later) => later < periodNs / 4).length;
  return agreeing >= steadyPictures;
}
