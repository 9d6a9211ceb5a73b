import { type Metric, metricOf } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { numberOf } from '../../app/facts/row-figures';
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

/** All that the table has a place for. */
export const timeFigures: readonly Metric[] = distributions.flatMap(({ figures }) => figures);

/** "p99.9": the heading of each figure without the distribution's own. */
const heads = [
  ...parts.map((part) => metricOf(`latencyMs.${part}`).heading.split(' ').pop()),
  texts.times.jitter,
];

/** What it shows of these rows: a figure that none has, such as p99.9 of a short run, is no column. */
export function timeFiguresOf(rows: readonly Row[]): Metric[] {
  const columns = filledColumns(rows);
  return distributions.flatMap(({ figures }) => figures.filter((_, index) => columns[index]));
}

function filledColumns(rows: readonly Row[]): boolean[] {
  return heads.map((_, index) =>
    rows.some((row) =>
      distributions.some(({ figures: { [index]: metric } }) => metric && numberOf(row, metric.id) !== null),
    ),
  );
}

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
  /** Rows beside these, whose tables have the same columns. Default: none. */
  among?: readonly Row[];
}

/** Latency and intervals as distributions, each with its jitter. */
export function TimesTable({ rows, showsRow, among = rows }: Props) {
  const isMissing = ({ figures, notMeasured }: Row, { id }: Metric): boolean =>
    (figures[id] ?? null) === null && notMeasured[id] !== undefined;
  // What no row has stands nowhere but in the list of what was not measured.
  const shown = distributions.filter(
    ({ figures }) => !among.every((row) => figures.every((metric) => isMissing(row, metric))),
  );
  const columns = filledColumns(among);
  return (
    <table className={styles.table} data-testid="times">
      <thead>
        <tr>
          {showsRow && <th scope="col">{texts.losses.row}</th>}
          <td />
          {heads
            .filter((_, index) => columns[index])
            .map((head) => (
              <th key={head} scope="col" className={styles.number}>
                {head}
              </th>
            ))}
        </tr>
      </thead>
      <tbody>
        {rows.flatMap((row) =>
          shown.map(({ heading, unit, figures }, index) => (
            <tr key={`${row.index} ${heading}`} data-first={index === 0 || undefined}>
              {showsRow && <th scope="row">{row.index}</th>}
              <th scope="row">
                {heading} <span className={styles.unit}>{unit}</span>
              </th>
              {figures
                .filter((_, index) => columns[index])
                .map((metric) => (
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
