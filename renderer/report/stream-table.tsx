import { headingWithUnit } from '../../app/protocol/metrics/registry';
import type { Row } from '../../app/protocol/row';
import { VerdictMark } from '../shell/verdict-mark';
import { streamColumns } from '../table/columns';
import { MetricCell, metricHelp } from '../table/metric-cell';
import { texts } from '../texts';
import styles from './plain-table.module.css';

/** The same counts for each stream of each row. */
export function StreamTable({ rows }: { rows: readonly Row[] }) {
  return (
    <table className={styles.table} data-testid="stream-table">
      <thead>
        <tr>
          <th scope="col">{texts.report.row}</th>
          <th scope="col">{texts.report.stream}</th>
          {streamColumns.map((metric) => (
            <th key={metric.id} scope="col" title={metricHelp(metric)} className={styles.number}>
              {headingWithUnit(metric)}
            </th>
          ))}
          <th scope="col">{texts.table.verdict}</th>
        </tr>
      </thead>
      <tbody>
        {rows.flatMap((row) =>
          row.perStream.map((stream, index) => (
            <tr key={`${row.row} ${stream.streamId}`} data-first={index === 0 || undefined}>
              <th scope="row">{index === 0 && row.row}</th>
              <td className={styles.name}>{stream.name}</td>
              {streamColumns.map((metric) => (
                <MetricCell key={metric.id} metric={metric} row={stream} className={styles.number} />
              ))}
              <td title={stream.reason}>
                <VerdictMark verdict={stream.verdict} />
              </td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}
