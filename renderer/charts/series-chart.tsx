import type { Series } from '../../app/protocol/figure';
import type { Metric } from '../../app/protocol/metrics/registry';
import type { Row } from '../../app/protocol/row';
import { figureOf } from '../../app/protocol/row-figures';
import { ChartFrame, lookOf, plot, round, tickText } from './chart-frame';
import { axisTicks, stepTitle } from './step-series';

interface Props {
  title: string;
  /** Of shape `series`. */
  metric: Metric;
  rows: readonly Row[];
}

/** Pairs of x and y as lines, one for each row that has them. */
export function SeriesChart({ title, metric, rows }: Props) {
  const lines = rows.flatMap((row) => {
    const series = seriesOf(row, metric);
    return series ? [{ row, points: series.points }] : [];
  });
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  const ys = lines.flatMap(({ points }) => points.map(([, y]) => y));
  const xTicks = axisTicks(least(xs), most(xs), 6);
  const yTicks = axisTicks(least(ys), most(ys));
  const x = (value: number): number => plot.left + plot.width * shareOf(value, xTicks);
  const y = (value: number): number => plot.top + plot.height * (1 - shareOf(value, yTicks));
  const { heading, unit } = metric.over ?? { heading: '', unit: '' };
  return (
    <ChartFrame
      title={title}
      unit={metric.unit}
      legend={lines.map(({ row }) => stepTitle(row))}
      yTicks={yTicks}
      y={y}
      xLabels={xTicks.map((tick) => ({ x: x(tick), text: tickText(tick) }))}
      axis={[heading, unit].filter(Boolean).join(', ')}
    >
      {lines.map(({ row, points }, index) => (
        <polyline
          key={row.index}
          fill="none"
          stroke={lookOf(index).colour}
          strokeWidth="1.75"
          strokeDasharray={lookOf(index).dash}
          data-row={row.index}
          data-series={metric.id}
          points={points.map(([at, value]) => `${round(x(at))},${round(y(value))}`).join(' ')}
        >
          <title>{stepTitle(row)}</title>
        </polyline>
      ))}
    </ChartFrame>
  );
}

function seriesOf(row: Row, { id }: Metric): Series | null {
  const figure = figureOf(row, id);
  return typeof figure === 'object' && figure !== null && 'points' in figure ? figure : null;
}

function shareOf(value: number, ticks: readonly number[]): number {
  const [lowest = 0] = ticks;
  return (value - lowest) / ((ticks.at(-1) ?? 1) - lowest);
}

function least(values: readonly number[]): number {
  return values.reduce((found, value) => Math.min(found, value), 0);
}

function most(values: readonly number[]): number {
  return values.reduce((found, value) => Math.max(found, value), 0);
}
