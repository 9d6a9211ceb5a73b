import { headingWithUnit, metrics } from '../../app/protocol/metrics/registry';
import { texts } from '../texts';
import styles from './plain-table.module.css';

/** The registry of metrics, for whoever wants to check a figure. */
export function Definitions() {
  return (
    <table className={styles.table}>
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
          <tr key={metric.id}>
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
