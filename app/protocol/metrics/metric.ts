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
