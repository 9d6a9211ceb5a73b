import type { Metric } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { isOfStreams, scalarOf } from '../../app/facts/row-figures';
import { countTables, tablesOf, timeTables } from './columns';
import { timeFigures } from './times-table';

export interface StreamColumns {
  /** What differs, or is not 0: as tables that fit on paper. */
  tables: readonly (readonly Metric[])[];
  /** Of these every stream has 0. */
  zero: readonly Metric[];
}

/**
 * The figures of single streams; where each row has one, without those of the row: its times, and `ofRows`, the columns of its table. What none of them has stands in no table: its reasons are in a list of their own.
 */
export function streamColumnsOf(rows: readonly Row[], ofRows: readonly string[] = []): StreamColumns {
  const streams = rows.filter(isOfStreams).flatMap(({ subjects }) => subjects);
  const isAlone = rows.every(({ subjects }) => subjects.length <= 1);
  const isOfRow = ({ id }: Metric): boolean =>
    isAlone &&
    rows.every((row) => row.subjects.every((stream) => scalarOf(stream, id) === scalarOf(row, id)));
  const known = [...countTables, ...timeTables]
    .flat()
    .filter((metric) => !((timeFigures.includes(metric) || ofRows.includes(metric.id)) && isOfRow(metric)))
    .filter(({ id }) =>
      streams.some((stream) => scalarOf(stream, id) !== null || stream.notMeasured[id] === undefined),
    );
  const isZero = ({ id }: Metric): boolean => streams.every((stream) => scalarOf(stream, id) === 0);
  return { tables: tablesOf(known.filter((metric) => !isZero(metric))), zero: known.filter(isZero) };
}
