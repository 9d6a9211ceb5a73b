import { rowValue } from '../../app/protocol/metrics/row-value';
import type { RunRow } from '../../app/protocol/row';
import { metricFigure } from '../format';
import { figureMarks } from '../table/metric-cell';
import { texts } from '../texts';
import { unbroken } from './gaps';
import styles from './step-chart.module.css';
import { axisTicks, isRamp, type StepChartSpec, type StepSeries, stepName, stepTitle } from './step-series';

/** Of the drawing, which is scaled to its place. */
const width = 440;
const height = 210;
const left = 50;
const right = 12;
const top = 10;
const bottom = 34;
const plotWidth = width - left - right;
const plotHeight = height - top - bottom;

/** Lines differ in stroke and mark too, not in colour alone. */
const looks = [
  { colour: 'var(--series-first)', dash: undefined, mark: 'circle' },
  { colour: 'var(--series-second)', dash: '7 4', mark: 'square' },
  { colour: 'var(--series-machine)', dash: '2 3', mark: 'diamond' },
] as const;
type Look = (typeof looks)[number];

/** A label needs so much room, in units of the drawing, for each of its characters. */
const characterWidth = 7;

interface Props {
  spec: StepChartSpec;
  rows: readonly RunRow[];
}

/**
 * Measures over the steps of a run, every figure of it under the pointer: of a ramp as lines, of rows that are different
 * things as bars. Plain SVG: sharp on paper too.
 */
export function StepChart({ spec, rows }: Props) {
  const reaches = spec.series.flatMap((series) => rows.map((row) => reachOf(row, series)));
  const ticks = axisTicks(Math.min(0, ...reaches), Math.max(0, ...reaches));
  const [lowest = 0] = ticks;
  const highest = ticks.at(-1) ?? 1;
  const slot = plotWidth / rows.length;
  const x = (index: number): number => left + (index + 0.5) * slot;
  const y = (value: number): number => top + (plotHeight * (highest - value)) / (highest - lowest);
  const ramp = isRamp(rows);
  const barWidth = Math.min(28, (slot * 0.7) / spec.series.length);
  return (
    <figure className={styles.chart} data-testid="step-chart">
      <figcaption className={styles.head}>
        <span className={styles.title}>
          {spec.title} <span className={styles.unit}>{spec.unit}</span>
        </span>
        {spec.series.length > 1 &&
          spec.series.map(({ metric, label }, index) => (
            <span key={metric.id} className={styles.series}>
              <svg className={styles.sample} viewBox="0 0 28 8" aria-hidden="true">
                <line
                  x1="0"
                  y1="4"
                  x2="28"
                  y2="4"
                  strokeWidth="2"
                  stroke={lookOf(index).colour}
                  strokeDasharray={lookOf(index).dash}
                />
                <Mark look={lookOf(index)} x={14} y={4} />
              </svg>
              {label}
            </span>
          ))}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${spec.title} (${spec.unit})`}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line className={styles.grid} x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
            <text className={styles.tick} x={left - 6} y={y(tick)} textAnchor="end" dominantBaseline="middle">
              {tickText(tick)}
            </text>
          </g>
        ))}
        {stepLabels(rows).map(({ index, text }) => (
          <text key={index} className={styles.tick} x={x(index)} y={height - bottom + 14} textAnchor="middle">
            {text}
          </text>
        ))}
        <text className={styles.axis} x={left + plotWidth / 2} y={height - 3} textAnchor="middle">
          {ramp ? texts.table.streams : texts.report.row}
        </text>
        {spec.series.map((series, index) => (
          <Figures
            key={series.metric.id}
            series={series}
            rows={rows}
            look={lookOf(index)}
            // Bars of one row stand side by side.
            x={(row) => x(row) + (ramp ? 0 : (index - (spec.series.length - 1) / 2) * barWidth)}
            y={y}
            barWidth={ramp ? null : barWidth}
          />
        ))}
      </svg>
    </figure>
  );
}

interface FiguresProps {
  series: StepSeries;
  rows: readonly RunRow[];
  look: Look;
  x(index: number): number;
  y(value: number): number;
  /** Null: marks, joined by lines. */
  barWidth: number | null;
}

function Figures({ series: { metric, spread }, rows, look, x, y, barWidth }: FiguresProps) {
  const values = rows.map((row) => numberOf(row, metric.id));
  // A row that is not there was not measured either.
  const isBreak = (index: number): boolean => (rows[index]?.row ?? 0) - (rows[index - 1]?.row ?? 0) > 1;
  return (
    <g>
      {(barWidth === null ? unbroken(values, isBreak) : []).map((run) => (
        <polyline
          key={run[0]?.index}
          fill="none"
          stroke={look.colour}
          strokeWidth="1.75"
          strokeDasharray={look.dash}
          points={run.map(({ index, value }) => `${round(x(index))},${round(y(value))}`).join(' ')}
        />
      ))}
      {rows.map((row, index) => {
        const value = values[index] ?? null;
        if (value === null) return null;
        const deviation = spread ? numberOf(row, spread.id) : null;
        const text = `${metricFigure(value, metric)} ${metric.unit}`;
        return (
          <g
            key={row.row}
            className={styles.point}
            {...figureMarks(metric, row)}
            data-figure={metricFigure(value, metric)}
          >
            <title>{`${stepTitle(row)}: ${metric.heading} ${text}${deviation !== null && spread ? ` ± ${metricFigure(deviation, spread)}` : ''}`}</title>
            {barWidth !== null && (
              <rect
                x={round(x(index) - barWidth / 2)}
                width={round(barWidth * 0.9)}
                y={round(Math.min(y(value), y(0)))}
                height={round(Math.max(Math.abs(y(value) - y(0)), 0.8))}
                fill={look.colour}
              />
            )}
            {deviation !== null && (
              <line
                stroke={barWidth === null ? look.colour : 'var(--text)'}
                strokeWidth="1.25"
                x1={round(x(index))}
                x2={round(x(index))}
                y1={round(y(Math.max(0, value - deviation)))}
                y2={round(y(value + deviation))}
              />
            )}
            {barWidth === null && <Mark look={look} x={round(x(index))} y={round(y(value))} />}
          </g>
        );
      })}
    </g>
  );
}

function Mark({ look: { mark, colour }, x, y }: { look: Look; x: number; y: number }) {
  if (mark === 'circle') return <circle cx={x} cy={y} r="3.5" fill={colour} />;
  const turn = mark === 'diamond' ? `rotate(45 ${x} ${y})` : undefined;
  return <rect x={x - 3} y={y - 3} width="6" height="6" fill={colour} transform={turn} />;
}

function lookOf(index: number): Look {
  return looks[index % looks.length] ?? looks[0];
}

function numberOf(row: RunRow, id: string): number | null {
  const value = rowValue(row, id);
  return typeof value === 'number' ? value : null;
}

/** How far up a row's figure reaches, with its deviation. */
function reachOf(row: RunRow, { metric, spread }: StepSeries): number {
  return (numberOf(row, metric.id) ?? 0) + (spread ? (numberOf(row, spread.id) ?? 0) : 0);
}

/** As many labels as have room next to each other. */
function stepLabels(rows: readonly RunRow[]): { index: number; text: string }[] {
  const names = rows.map((row) => stepName(row));
  const longest = Math.max(...names.map((name) => name.length)) * characterWidth;
  const every = Math.ceil(longest / (plotWidth / rows.length));
  return names.flatMap((text, index) => (index % every === 0 ? [{ index, text }] : []));
}

function tickText(value: number): string {
  // Longer figures than these have no room beside the axis.
  const notation = Math.abs(value) < 100_000 ? 'standard' : 'compact';
  return value.toLocaleString('en-US', { maximumSignificantDigits: 4, notation });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
