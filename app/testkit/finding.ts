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

/** Of all rows together, as far as they were counted, and why one was not. */
export interface Sum {
  count: number;
  why?: string;
  /** Words before the number: a row that was not counted may hold more. */
  atLeast: '' | 'at least ';
}

/** A fault that was found is one, whatever another row lacks. */
export function sum({ rows }: Measurement, countOf: (row: Row) => Counted): Sum {
  const counts = rows.map((row) => ({ row, ...countOf(row) }));
  const count = counts.reduce((total, one) => total + ('count' in one ? one.count : 0), 0);
  const [lacking] = counts.flatMap((one) => ('why' in one ? one : []));
  if (!lacking) return { count, atLeast: '' };
  const when = rows.length > 1 ? timesOf(lacking.row) : '';
  return { count, why: `${lacking.why}${when}`, atLeast: 'at least ' };
}

function timesOf({ from, to }: Row): string {
  return to === null ? '' : ` from ${from.slice(11, 23)} to ${to.slice(11, 23)} UTC`;
}

export function figure(row: Row, id: string): Counted {
  const count = numberOf(row, id);
  return count === null ? { why: row.notMeasured[id] ?? `${id} is absent` } : { count };
}
