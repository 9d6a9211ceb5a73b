import { type Metric, metricOf } from '../../app/facts/metrics/registry';
import type { Row, Subject } from '../../app/facts/row';
import { scalarOf } from '../../app/facts/row-figures';
import { valueFigure } from '../format';
import { texts } from '../texts';
import styles from './metric-cell.module.css';

/** What has figures: a row, or a subject of one. */
export type WithFigures = Pick<Row, 'figures' | 'notMeasured'> &
  Partial<Pick<Row, 'step' | 'load'>> &
  (Pick<Row, 'index'> | Pick<Subject, 'id'>);

interface Props {
  metric: Metric;
  row: WithFigures;
  /** The row that a subject is of. */
  of?: number;
  className?: string;
  /** What the figure is, where no heading says it. */
  help?: string;
  /** The spread of the repeats, shown after the figure. */
  spread?: Metric;
}

/** A figure of a row; what was not measured is a dash with the reason after it. */
export function MetricCell({ metric, row, of, className, help, spread: given }: Props) {
  const value = scalarOf(row, metric.id);
  const spread = given ?? offByOf(metric, row);
  const title = value === null ? texts.table.notMeasured(row.notMeasured[metric.id]) : help;
  if (spread) {
    const deviation = scalarOf(row, spread.id);
    return (
      <td className={className} title={title}>
        <span {...figureMarks(metric, row, of)}>{valueFigure(value, metric)}</span>{' '}
        <small className={deviation === null ? 'visually-hidden' : styles.spread}>
          ±<span {...figureMarks(spread, row, of)}>{valueFigure(deviation, spread)}</span>
        </small>
      </td>
    );
  }
  return (
    <td className={className} {...figureMarks(metric, row, of)} title={title}>
      {valueFigure(value, metric)}
    </td>
  );
}

/** Of a figure that rests on the clock of another machine; undefined: it is exact, or was not measured. */
function offByOf({ id, offBy }: Metric, row: WithFigures): Metric | undefined {
  if (offBy === undefined || scalarOf(row, id) === null || scalarOf(row, offBy) === null) return undefined;
  return metricOf(offBy);
}

/** Says whose figure stands in an element, so that each one on a page can be compared with the run's folder. */
export function figureMarks({ id }: Metric, measured: WithFigures, of?: number) {
  return {
    'data-metric': id,
    'data-row': 'index' in measured ? measured.index : of,
    'data-stream': 'id' in measured ? measured.id : undefined,
  };
}

/** The same for a figure that every stream of the page has alike. */
export function everyStreamMarks({ id }: Metric) {
  return { 'data-metric': id, 'data-row': 'every', 'data-stream': 'every' };
}

/** What a heading says when asked. */
export function metricHelp({ description, formula, source }: Metric): string {
  return `${description}\n= ${formula}\n(${source})`;
}
