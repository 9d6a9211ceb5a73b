import type { Metric } from '../../app/facts/metrics/registry';
import { metricFigure } from '../format';
import { ChartFrame, lookOf, Mark, plot, round, tickText } from './chart-frame';
import type { Line } from './lines';
import { axisTicks } from './step-series';

interface Props {
  title: string;
  metric: Metric;
  lines: readonly Line[];
  /** What stands along the x axis. */
  axis: string;
  /** Whole numbers along it only; each point has a mark. */
  isCounted?: boolean;
  /** Lines of these names go between them: dashed, in their colours. */
  bands?: readonly Line[];
  /** Dotted, in no line’s colour. */
  ideals?: readonly Line[];
  /** What dashed and dotted lines are. */
  note?: string;
}

/** Pairs of x and y as lines. */
export function LineChart(props: Props) {
  const { title, metric, lines, axis, isCounted = false, bands = [], ideals = [], note } = props;
  const all = [...lines, ...bands, ...ideals].flatMap(({ points }) => points);
  const xTicks = axisTicks(...reachOf(all.map(([x]) => x)), 6).filter(
    (tick) => !isCounted || Number.isInteger(tick),
  );
  const yTicks = axisTicks(...reachOf(all.map(([, y]) => y)));
  const x = (value: number): number => plot.left + plot.width * shareOf(value, xTicks);
  const y = (value: number): number => plot.top + plot.height * (1 - shareOf(value, yTicks));
  const path = ({ points }: Line): string =>
    points.map(([at, value]) => `${round(x(at))},${round(y(value))}`).join(' ');
  // Where least and most are alike they are one line: two of one key would outlive what they were drawn of.
  const dashed = new Map(
    bands.map((line) => [`${line.name} ${path(line)}`, { name: line.name, points: path(line) }]),
  );
  return (
    <ChartFrame
      title={title}
      unit={metric.unit}
      legend={lines.map(({ name }) => name)}
      yTicks={yTicks}
      y={y}
      xLabels={xTicks.map((tick) => ({ x: x(tick), text: tickText(tick) }))}
      axis={axis}
      note={note}
      isSolid={isCounted}
    >
      {ideals.map((line) => (
        <polyline
          key={line.row}
          fill="none"
          stroke="var(--text-soft)"
          strokeDasharray="1 3"
          points={path(line)}
        />
      ))}
      {[...dashed].map(([key, { name, points }]) => (
        <polyline
          key={key}
          fill="none"
          stroke={lookOf(lines.findIndex((line) => line.name === name)).colour}
          strokeDasharray="4 3"
          points={points}
        />
      ))}
      {lines.map((line, index) => (
        <g key={line.row}>
          <polyline
            fill="none"
            stroke={lookOf(index).colour}
            strokeWidth="1.75"
            strokeDasharray={isCounted ? undefined : lookOf(index).dash}
            data-row={line.row}
            data-series={metric.id}
            points={path(line)}
          >
            <title>{line.name}</title>
          </polyline>
          {(isCounted ? line.points : []).map(([at, value]) => (
            <g key={at}>
              <title>
                {[line.name, `${axis} ${at}`, `${metricFigure(value, metric)} ${metric.unit}`].join(', ')}
              </title>
              <Mark look={lookOf(index)} x={round(x(at))} y={round(y(value))} />
            </g>
          ))}
        </g>
      ))}
    </ChartFrame>
  );
}

function shareOf(value: number, ticks: readonly number[]): number {
  const [lowest = 0] = ticks;
  return (value - lowest) / ((ticks.at(-1) ?? 1) - lowest);
}

/** From 0 or below to the largest. */
function reachOf(values: readonly number[]): [least: number, most: number] {
  return [
    values.reduce((found, value) => Math.min(found, value), 0),
    values.reduce((found, value) => Math.max(found, value), 0),
  ];
}
