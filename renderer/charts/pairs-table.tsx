import type { Metric } from '../../app/protocol/metrics/registry';
import type { Row, Subject } from '../../app/protocol/row';
import { numberOf } from '../../app/protocol/row-figures';
import { MetricCell } from '../table/metric-cell';
import styles from './pairs-table.module.css';

interface Props {
  title: string;
  metric: Metric;
  row: Row;
}

/** A figure for each pair: from the host at the left to the host at the top. A larger figure has a darker cell. */
export function PairsTable({ title, metric, row }: Props) {
  const pairs = row.subjects.filter(({ hosts }) => hosts.from !== undefined && hosts.to !== undefined);
  const names = [...new Set(pairs.flatMap(({ hosts }) => [hosts.from ?? '', hosts.to ?? '']))];
  const largest = Math.max(...pairs.map((pair) => numberOf(pair, metric.id) ?? 0));
  const pairOf = (from: string, to: string): Subject | undefined =>
    pairs.find(({ hosts }) => hosts.from === from && hosts.to === to);
  return (
    <figure className={styles.pairs}>
      <figcaption className={styles.title}>
        {title} <span className={styles.unit}>{metric.unit}</span>
      </figcaption>
      <table>
        <thead>
          <tr>
            <td />
            {names.map((to) => (
              <th key={to} scope="col">
                {to}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((from) => (
            <tr key={from}>
              <th scope="row">{from}</th>
              {names.map((to) => {
                const pair = pairOf(from, to);
                if (!pair) return <td key={to} />;
                const share = (numberOf(pair, metric.id) ?? 0) / (largest || 1);
                return <MetricCell key={to} metric={metric} row={pair} of={row.index} share={share} />;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
