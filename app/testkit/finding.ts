import { numberOf } from '../facts/row-figures';
import type { Measurement, Row } from './types';

/** What a rule finds, and the counts that it rests on. */

/** Of what was not measured neither a rule nor its opposite is true. */
export interface Finding {
  outcome: 'holds' | 'broken' | 'not-measured';
  /** What was found. */
  text: string;
  /** What was expected of it, and by `.not`; nothing of what was not measured. */
  expected?: string;
  expectedNot?: string;
}

/** The words after which `.not` and its opposite differ. */
type Expectation = readonly [expected: string, expectedNot: string];
/** A number of a row, or why there is none. */
export type Counted = { count: number } | { why: string };
export type Rule = (measured: Measurement) => Finding;

export function found(holds: boolean, text: string, [expected, expectedNot]: Expectation): Finding {
  return { outcome: holds ? 'holds' : 'broken', text, expected, expectedNot };
}

export function notMeasured({ source }: Measurement, why: string): Finding {
  return { outcome: 'not-measured', text: `${source} was not measured: ${why}` };
}

export function inSeconds({ seconds, method }: Measurement): string {
  return `${seconds.toFixed(1)} s (by ${method === 'frame-code' ? 'the frame code' : 'its timestamps'})`;
}

/** Of all rows together; the first row that lacks it says why. */
export function sum({ rows }: Measurement, countOf: (row: Row) => Counted): Counted {
  let total = 0;
  for (const row of rows) {
    const one = countOf(row);
    if ('why' in one) return one;
    total += one.count;
  }
  return { count: total };
}

export function figure(row: Row, id: string): Counted {
  const count = numberOf(row, id);
  return count === null ? { why: row.notMeasured[id] ?? `${id} is absent` } : { count };
}
