import type { Metric } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { numberOf } from '../../app/facts/row-figures';
import { countedRows } from '../../app/facts/row-labels';
import { metricFigure } from '../format';
import { figureMarks } from '../table/metric-cell';
import { texts } from '../texts';
import { ChartFrame, characterWidth, type Look, lookOf, Mark, plot, round } from './chart-frame';
import { unbroken } from './gaps';
import styles from './step-chart.module.css';
import { axisTicks, rampOf, type StepChartSpec, type StepSeries, stepName, stepTitle } from './step-series';

interface Props {
  spec: StepChartSpec;
  rows: readonly Row[];
}

/**
 * Measures over the steps of a run, every figure of it under the pointer: of a ramp as lines, of rows that are different
 * things as bars.
 */
export function StepChart({ spec, rows: all }: Props) {
  const rows = countedRows(all);
  const reaches = spec.series.flatMap((series) => rows.map((row) => reachOf(row, series)));
  const ticks = axisTicks(Math.min(0, ...reaches), Math.max(0, ...reaches));
  const [lowest = 0] = ticks;
  const highest = ticks.at(-1) ?? 1;
  const slot = plot.width / rows.length;
  const x = (index: number): number => plot.left + (index + 0.5) * slot;
  const y = (value: number): number => plot.top + (plot.height * (highest - value)) / (highest - lowest);
  const ramp = rampOf(rows);
  const barWidth = Math.min(28, (slot * 0.7) / spec.series.length);
  return (
    <ChartFrame
      title={spec.title}
      unit={spec.unit}
      legend={spec.series.map(({ label }) => label)}
      yTicks={ticks}
      y={y}
      xLabels={stepLabels(rows, ramp).map(({ index, text }) => ({ x: x(index), text }))}
      axis={ramp?.heading ?? texts.report.row}
    >
      {spec.series.map((series, index) => (
        <Figures
          key={series.metric.id}
          series={series}
          rows={rows}
          all={all}
          look={lookOf(index)}
          // Bars of one row stand side by side.
          x={(row) => x(row) + (ramp ? 0 : (index - (spec.series.length - 1) / 2) * barWidth)}
          y={y}
          barWidth={ramp ? null : barWidth}
        />
      ))}
    </ChartFrame>
  );
}

interface FiguresProps {
  series: StepSeries;
  rows: readonly Row[];
  /** Those that were measured again too. */
  all: readonly Row[];
  look: Look;
  x(index: number): number;
  y(value: number): number;
  /** Null: marks, joined by lines. */
  barWidth: number | null;
}

function Figures({ series: { metric, spread }, rows, all, look, x, y, barWidth }: FiguresProps) {
  const values = rows.map((row) => numberOf(row, metric.id));
  const known = new Set(all.map((row) => row.index));
  // A row that is not there was not measured either; one that was measured again is no gap.
  const isBreak = (index: number): boolean => {
    const [before = 0, own = 0] = [rows[index - 1]?.index, rows[index]?.index];
    return Array.from({ length: Math.max(0, own - before - 1) }, (_, past) => before + 1 + past).some(
      (missing) => !known.has(missing),
    );
  };
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
            key={row.index}
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

/** How far up a row's figure reaches, with its deviation. */
function reachOf(row: Row, { metric, spread }: StepSeries): number {
  return (numberOf(row, metric.id) ?? 0) + (spread ? (numberOf(row, spread.id) ?? 0) : 0);
}

/** As many labels as have room next to each other. */
function stepLabels(rows: readonly Row[], ramp: Metric | null): { index: number; text: string }[] {
  const names = rows.map((row) => stepName(row, ramp));
  const longest = Math.max(...names.map((name) => name.length)) * characterWidth;
  const every = Math.ceil(longest / (plot.width / rows.length));
  return names.flatMap((text, index) => (index % every === 0 ? [{ index, text }] : []));
}
