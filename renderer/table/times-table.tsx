import { type Metric, metricOf } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { texts } from '../texts';
import styles from './detail.module.css';
import { MetricCell, metricHelp } from './metric-cell';

const parts = ['min', 'p50', 'p90', 'p99', 'p999', 'max'] as const;

interface Distribution {
  /** "Latency": what the headings of its figures have in common. */
  heading: string;
  unit: string;
  figures: Metric[];
}

const distributions: readonly Distribution[] = [
  distribution('latencyMs', 'latencyJitterMs'),
  distribution('submitIntervalMs', 'submitJitterMs'),
  distribution('receiveIntervalMs', 'receiveJitterMs'),
];

/** "p99.9": the heading of each figure without the distribution's own. */
const heads = parts.map((part) => metricOf(`latencyMs.${part}`).heading.split(' ').pop());

function distribution(id: string, jitterId: string): Distribution {
  const figures = parts.map((part) => metricOf(`${id}.${part}`));
  const { heading, unit } = metricOf(`${id}.min`);
  return {
    heading: heading.slice(0, heading.lastIndexOf(' ')),
    unit,
    figures: [...figures, metricOf(jitterId)],
  };
}

interface Props {
  rows: readonly Row[];
  showsRow?: boolean;
}

/** Latency and intervals as distributions, each with its jitter. */
export function TimesTable({ rows, showsRow }: Props) {
  return (
    <table className={styles.table} data-testid="times">
      <thead>
        <tr>
          {showsRow && <th scope="col">{texts.losses.row}</th>}
          <td />
          {[...heads, texts.times.jitter].map((head) => (
            <th key={head} scope="col" className={styles.number}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.flatMap((row) =>
          distributions.map(({ heading, unit, figures }, index) => (
            <tr key={`${row.index} ${heading}`} data-first={index === 0 || undefined}>
              {showsRow && <th scope="row">{index === 0 && row.index}</th>}
              <th scope="row">
                {heading} <span className={styles.unit}>{unit}</span>
              </th>
              {figures.map((metric) => (
                <MetricCell
                  key={metric.id}
                  metric={metric}
                  row={row}
                  className={styles.number}
                  help={metricHelp(metric)}
                />
              ))}
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}
