import { headingWithUnit, type Metric } from '../../app/protocol/metrics/registry';
import { wordsOf } from '../../app/protocol/reason-words';
import type { Row, Subject } from '../../app/protocol/row';
import { figureOf } from '../../app/protocol/row-figures';
import { notMeasuredSign } from '../format';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './detail.module.css';
import { MetricCell, metricHelp } from './metric-cell';

interface Props {
  rows: readonly Row[];
  columns: readonly Metric[];
  showsRow?: boolean;
}

/** The same figures for each stream of each row, with the method by which it was followed. */
export function StreamTable({ rows, columns, showsRow }: Props) {
  return (
    <table className={styles.table} data-testid="stream-table">
      <thead>
        <tr>
          {showsRow && <th scope="col">{texts.losses.row}</th>}
          <th scope="col">{texts.losses.stream}</th>
          <th scope="col">{texts.times.method}</th>
          {columns.map((metric) => (
            <th key={metric.id} scope="col" title={metricHelp(metric)} className={styles.number}>
              {headingWithUnit(metric)}
            </th>
          ))}
          <th scope="col">{texts.table.verdict}</th>
        </tr>
      </thead>
      <tbody>
        {rows.flatMap((row) =>
          row.subjects.map((stream, index) => (
            <tr key={`${row.index} ${stream.id}`} data-first={index === 0 || undefined}>
              {showsRow && <th scope="row">{index === 0 && row.index}</th>}
              <td className={styles.name} title={stream.name}>
                {stream.name}
              </td>
              <td className={styles.method}>{methodOf(stream)}</td>
              {columns.map((metric) => (
                <MetricCell
                  key={metric.id}
                  metric={metric}
                  row={stream}
                  of={row.index}
                  className={styles.number}
                />
              ))}
              <td title={wordsOf(stream.reason ?? [])}>
                {stream.verdict && <VerdictMark verdict={stream.verdict} />}
              </td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

/** Runs of an older version do not tell it. */
function methodOf(stream: Subject): string {
  const method = figureOf(stream, 'method');
  if (method === 'frame-code' || method === 'timestamps') return texts.methods[method];
  return typeof method === 'string' ? method : notMeasuredSign;
}
