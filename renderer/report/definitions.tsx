import { headingWithUnit, type Metric } from '../../app/facts/metrics/registry';
import { texts } from '../texts';
import styles from './plain-table.module.css';

/** What the registry of metrics says of the figures of this report, for readers who want to check one. */
export function Definitions({ metrics }: { metrics: readonly Metric[] }) {
  return (
    <table className={styles.table} data-testid="definitions">
      <thead>
        <tr>
          <th scope="col">{texts.report.figure}</th>
          <th scope="col">{texts.report.meaning}</th>
          <th scope="col">{texts.report.formula}</th>
          <th scope="col">{texts.report.source}</th>
        </tr>
      </thead>
      <tbody>
        {metrics.map((metric) => (
          <tr key={metric.id} data-definition={metric.id}>
            <th scope="row">
              {headingWithUnit(metric)}
              <code className={styles.id}>{metric.id}</code>
            </th>
            <td>{metric.description}</td>
            <td>{metric.formula}</td>
            <td>{metric.source}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
