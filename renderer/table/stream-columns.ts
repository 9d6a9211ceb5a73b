import type { Metric } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { isOfStreams, scalarOf } from '../../app/facts/row-figures';
import { countTables, tablesOf, timeTables } from './columns';

export interface StreamColumns {
  /** What differs, or is not 0: as tables that fit on paper. */
  tables: readonly (readonly Metric[])[];
  /** Of these every stream has 0. */
  zero: readonly Metric[];
}

/** The figures of single streams. What none of them has stands in no table: its reasons are in a list of their own. */
export function streamColumnsOf(rows: readonly Row[]): StreamColumns {
  const streams = rows.filter(isOfStreams).flatMap(({ subjects }) => subjects);
  const known = [...countTables, ...timeTables]
    .flat()
    .filter(({ id }) =>
      streams.some((stream) => scalarOf(stream, id) !== null || stream.notMeasured[id] === undefined),
    );
  const isZero = ({ id }: Metric): boolean => streams.every((stream) => scalarOf(stream, id) === 0);
  return { tables: tablesOf(known.filter((metric) => !isZero(metric))), zero: known.filter(isZero) };
}
