import { machineColumn } from './column';
import { metricFor } from './metrics/registry';
import type { Row } from './row';
import { scalarOf } from './row-figures';

/** A row by its settings, in words: by these of its figures, or by its own label if it has none of them. */
export function rowLabel(row: Row, keys: readonly string[]): string {
  // A row without these settings, such as one of the machine itself, has its own words, which name the machine if there are several.
  const own = keys.filter((key) => key !== machineColumn.metric);
  if (row.label !== '' && own.every((key) => scalarOf(row, key) === null)) return row.label;
  const texts = keys.map((key) => `${metricFor(key).heading} ${scalarOf(row, key) ?? '–'}`);
  return texts.join(', ') || row.label || `row ${row.index}`;
}
