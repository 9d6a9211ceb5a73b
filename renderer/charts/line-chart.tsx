import type { Metric } from '../../app/protocol/metrics/registry';
import { ChartFrame, lookOf, plot, round, tickText } from './chart-frame';
import type { Line } from './lines';
import { axisTicks } from './step-series';

interface Props {
  title: string;
  metric: Metric;
  lines: readonly Line[];
  /** What stands along the x axis. */
  axis: string;
  /** Whole numbers along it only. */
  isCounted?: boolean;
}

/** Pairs of x and y as lines. */
export function LineChart({ title, metric, lines, axis, isCounted = false }: Props) {
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  const ys = lines.flatMap(({ points }) => points.map(([, y]) => y));
  const xTicks = axisTicks(least(xs), most(xs), 6).filter((tick) => !isCounted || Number.isInteger(tick));
  const yTicks = axisTicks(least(ys), most(ys));
  const x = (value: number): number => plot.left + plot.width * shareOf(value, xTicks);
  const y = (value: number): number => plot.top + plot.height * (1 - shareOf(value, yTicks));
  return (
    <ChartFrame
      title={title}
      unit={metric.unit}
      legend={lines.map(({ name }) => name)}
      yTicks={yTicks}
      y={y}
      xLabels={xTicks.map((tick) => ({ x: x(tick), text: tickText(tick) }))}
      axis={axis}
    >
      {lines.map(({ name, row, points }, index) => (
        <polyline
          key={row}
          fill="none"
          stroke={lookOf(index).colour}
          strokeWidth="1.75"
          strokeDasharray={lookOf(index).dash}
          data-row={row}
          data-series={metric.id}
          points={points.map(([at, value]) => `${round(x(at))},${round(y(value))}`).join(' ')}
        >
          <title>{name}</title>
        </polyline>
      ))}
    </ChartFrame>
  );
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
