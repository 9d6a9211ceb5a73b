import { metricValue } from './registry';

/** The value of a figure in a row or of a stream; words and yes or no among `values` too. Null: it was not measured. */
export function rowValue(row: object, id: string): number | string | boolean | null {
  const own = (row as { values?: Record<string, number | string | boolean | null> }).values?.[id];
  return own ?? metricValue(row, id);
}
