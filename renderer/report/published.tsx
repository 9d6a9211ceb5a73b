import type { PublishedFigures } from '../../app/protocol/experiments/declaration';
import { metricFor } from '../../app/protocol/metrics/registry';
import { valueFigure } from '../format';
import table from './plain-table.module.css';

/** A study's own figures, beside those of the run and never among them. */
export function Published({ published }: { published: PublishedFigures }) {
  const metrics = published.metrics.map(metricFor);
  return (
    <table className={table.table} data-testid="published">
      <caption>{published.title}</caption>
      <thead>
        <tr>
          <td />
          {metrics.map(({ id, heading, unit }) => (
            <th key={id} scope="col" className={table.number}>
              {heading} {unit}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {published.rows.map(({ label, values }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {metrics.map((metric, index) => (
              <td key={metric.id} className={table.number}>
                {valueFigure(values[index] ?? null, metric)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
