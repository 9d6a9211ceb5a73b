import type { ComparedStep } from '../../app/protocol/history';
import { unbroken } from '../charts/gaps';
import styles from '../charts/step-chart.module.css';
import { axisTicks } from '../charts/step-series';
import { metricFigure } from '../format';
import { texts } from '../texts';
import { type ComparedSeries, isLadder, stepNames } from './compared-series';
import { lookOf } from './run-looks';

/** Of the drawing, which is scaled to its place. */
const width = 440;
const height = 210;
const left = 50;
const top = 10;
const bottom = 34;
const plotWidth = width - left - 12;
const plotHeight = height - top - bottom;
const widestBar = 18;
/** Of a slot, which the bars of one step share. */
const barsShare = 0.7;

interface Props {
  series: ComparedSeries;
  steps: readonly ComparedStep[];
}

/** One measure of all runs over the steps: lines where the steps are one number growing, otherwise bars side by side. */
export function ComparedStepChart({ series: { metric, values }, steps }: Props) {
  const known = values.flat().filter((value): value is number => value !== null);
  const ticks = axisTicks(Math.min(0, ...known), Math.max(0, ...known));
  const [lowest = 0] = ticks;
  const highest = ticks.at(-1) ?? 1;
  const slot = plotWidth / steps.length;
  const x = (index: number): number => left + (index + 0.5) * slot;
  const y = (value: number): number => top + (plotHeight * (highest - value)) / (highest - lowest);
  const ladder = isLadder(steps);
  const bar = Math.min(widestBar, (slot * barsShare) / values.length);
  const names = stepNames(steps);
  return (
    <figure className={styles.chart} data-testid="compared-step-chart">
      <figcaption className={styles.head}>
        <span className={styles.title}>
          {metric.heading} <span className={styles.unit}>{metric.unit}</span>
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${metric.heading} (${metric.unit})`}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line className={styles.grid} x1={left} x2={left + plotWidth} y1={y(tick)} y2={y(tick)} />
            <text className={styles.tick} x={left - 6} y={y(tick)} textAnchor="end" dominantBaseline="middle">
              {tick.toLocaleString('en-US', { maximumSignificantDigits: 4 })}
            </text>
          </g>
        ))}
        {steps.map(({ label }, index) => (
          <text key={label} className={styles.tick} x={x(index)} y={height - bottom + 14} textAnchor="middle">
            <title>{label}</title>
            {names[index]}
          </text>
        ))}
        <text className={styles.axis} x={left + plotWidth / 2} y={height - 3} textAnchor="middle">
          {ladder ? axisName(steps) : texts.sessions.step}
        </text>
        {values.map((run, index) => {
          const { letter, colour, dash, mark } = lookOf(index);
          const aside = ladder ? 0 : (index - (values.length - 1) / 2) * bar;
          const points = run.flatMap((value, step) =>
            value === null ? [] : [{ value, step, at: x(step) + aside }],
          );
          return (
            <g key={letter}>
              {ladder &&
                unbroken(run).map((part) => (
                  <polyline
                    key={part[0]?.index}
                    fill="none"
                    stroke={`var(${colour})`}
                    strokeWidth="1.75"
                    strokeDasharray={dash?.join(' ')}
                    points={part.map(({ index: step, value }) => `${x(step)},${y(value)}`).join(' ')}
                  />
                ))}
              {points.map(({ value, step, at }) => (
                <g key={step} className={styles.point}>
                  <title>
                    {`${letter}, ${steps[step]?.label}: ${metricFigure(value, metric)} ${metric.unit}`}
                  </title>
                  {ladder ? (
                    <path d={mark} transform={`translate(${at} ${y(value)})`} fill={`var(${colour})`} />
                  ) : (
                    <rect
                      x={at - bar * 0.45}
                      width={bar * 0.9}
                      y={Math.min(y(value), y(0))}
                      height={Math.max(Math.abs(y(value) - y(0)), 0.8)}
                      fill={`var(${colour})`}
                      fillOpacity={index === 0 ? 1 : 0.3}
                      stroke={`var(${colour})`}
                      strokeWidth="1.5"
                      strokeDasharray={dash?.join(' ')}
                    />
                  )}
                </g>
              ))}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

/** "Streams", out of "Streams 3". */
function axisName([first]: readonly ComparedStep[]): string {
  return first?.label.replace(/\s\S+$/, '') ?? '';
}
