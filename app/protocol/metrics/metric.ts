export type Direction = 'lower' | 'higher' | 'none';

export interface Metric {
  id: string;
  /** Short, for the head of a column. */
  heading: string;
  /** Empty for a count. */
  unit: string;
  digits: number;
  /** Which way is better. */
  direction: Direction;
  formula: string;
  description: string;
  /** Where the figure is taken. */
  source: string;
  /** Of what adds up over time: the value of a row that says over how many seconds. Rows of other lengths compare per second. */
  countedOver?: string;
}

/** A metric that counts. */
export function count(
  id: string,
  heading: string,
  direction: Direction,
  formula: string,
  description: string,
  source: string,
): Metric {
  return { id, heading, unit: '', digits: 0, direction, formula, description, source };
}

/** A metric that counts what happened in the measured time of a row. */
export function total(...definition: Parameters<typeof count>): Metric {
  return { ...count(...definition), countedOver: 'measuredSeconds' };
}
