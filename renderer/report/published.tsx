import type { PublishedFigures } from '../../app/experiments/declaration';
import { type Metric, metricFor } from '../../app/facts/metrics/registry';
import { valueFigure } from '../format';
import table from './plain-table.module.css';

/** A study's own figures, beside those of the run and never among them. */
export function Published({ published: { title, columns, rows } }: { published: PublishedFigures }) {
  const { corner, shown } = columnsOf(columns);
  const asPublished = 'decimals' in columns;
  return (
    <table className={table.table} data-testid="published">
      <caption>{title}</caption>
      <thead>
        <tr>
          <td>{corner}</td>
          {shown.map(({ key, heading }) => (
            <th key={key} scope="col" className={table.number}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, values, limit }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {shown.map(({ key, metric }, index) => (
              <td key={key} className={table.number}>
                {limit && `${limit} `}
                {valueFigure(values[index] ?? null, asPublished ? decimalsOf(values[index], metric) : metric)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The metric with the decimals that the study gave, which may be fewer. */
function decimalsOf(value: number | undefined, metric: Metric): Metric {
  const [, decimals = ''] = String(value ?? '').split('.');
  return { ...metric, digits: decimals.length };
}

interface Columns {
  corner: string;
  shown: { key: string; heading: string; metric: Metric }[];
}

function columnsOf(columns: PublishedFigures['columns']): Columns {
  if ('metrics' in columns) {
    const metrics = columns.metrics.map(metricFor);
    const shown = metrics.map((metric) => {
      return { key: metric.id, heading: `${metric.heading} ${metric.unit}`, metric };
    });
    return { corner: '', shown };
  }
  const metric = { ...metricFor(columns.metric), digits: columns.digits };
  const shown = columns.at.map((at) => ({ key: String(at), heading: String(at), metric }));
  return { corner: `${metric.unit}, by ${metricFor(columns.over).heading.toLowerCase()}`, shown };
}
