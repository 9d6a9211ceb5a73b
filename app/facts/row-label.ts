import { machineColumn } from './column';
import { metricFor } from './metrics/registry';
import type { Row } from './row';
import { scalarOf } from './row-figures';

/** A row by what was set for it, in words: by these of its figures, or by its own label where it has none of them. */
export function rowLabel(row: Row, keys: readonly string[]): string {
  // A row for which none of them was set, such as one of the machine itself, has words of its own; they have the machine among several.
  const own = keys.filter((key) => key !== machineColumn.metric);
  if (row.label !== '' && own.every((key) => scalarOf(row, key) === null)) return row.label;
  const texts = keys.map((key) => `${metricFor(key).heading} ${scalarOf(row, key) ?? '–'}`);
  return texts.join(', ') || row.label || `row ${row.index}`;
}
