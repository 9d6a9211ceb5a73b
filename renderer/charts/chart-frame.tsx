import type { ReactNode } from 'react';
import styles from './step-chart.module.css';

/** Of the drawing, which is scaled to its place. */
const width = 440;
const height = 216;
const left = 56;
const right = 12;
const top = 10;
const bottom = 40;
export const plot = { left, top, width: width - left - right, height: height - top - bottom };

/** Room that a label needs for each of its characters, in units of the drawing. */
export const characterWidth = 8;

/** Lines differ in stroke and mark too, not in colour alone. */
const looks = [
  { colour: 'var(--series-first)', dash: undefined, mark: 'circle' },
  { colour: 'var(--series-second)', dash: '7 4', mark: 'square' },
  { colour: 'var(--series-machine)', dash: '2 3', mark: 'diamond' },
  { colour: 'var(--series-fifth)', dash: '9 3 2 3', mark: 'ring' },
  { colour: 'var(--series-third)', dash: '1 4', mark: 'cross' },
] as const;
export type Look = (typeof looks)[number];

export function lookOf(index: number): Look {
  return looks[index % looks.length] ?? looks[0];
}

interface Props {
  title: string;
  unit: string;
  /** Names of the lines; a chart of one has no legend. */
  legend: readonly string[];
  /** Values with a line across the plot, and where they are. */
  yTicks: readonly number[];
  y(value: number): number;
  xLabels: readonly { x: number; text: string }[];
  /** What stands along the x axis. */
  axis: string;
  /** What thinner lines are. */
  note?: string;
  /** Lines differ in their marks, so that none is dashed. */
  isSolid?: boolean;
  children: ReactNode;
}

/** Title, legend and axes around what a chart draws. Plain SVG: sharp on paper too. */
export function ChartFrame(props: Props) {
  const { title, unit, legend, yTicks, y, xLabels, axis, note, isSolid = false, children } = props;
  return (
    <figure className={styles.chart} data-testid="step-chart">
      <figcaption className={styles.head}>
        <span className={styles.title}>
          {title} <span className={styles.unit}>{unit}</span>
        </span>
        {legend.length > 1 &&
          legend.map((label, index) => (
            <span key={label} className={styles.series}>
              <svg className={styles.sample} viewBox="0 0 28 8" aria-hidden="true">
                <line
                  x1="0"
                  y1="4"
                  x2="28"
                  y2="4"
                  strokeWidth="2"
                  stroke={lookOf(index).colour}
                  strokeDasharray={isSolid ? undefined : lookOf(index).dash}
                />
                <Mark look={lookOf(index)} x={14} y={4} />
              </svg>
              {label}
            </span>
          ))}
        {note && <span>{note}</span>}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title} (${unit})`}>
        {yTicks.map((tick) => (
          <g key={tick}>
            <line className={styles.grid} x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
            <text className={styles.tick} x={left - 6} y={y(tick)} textAnchor="end" dominantBaseline="middle">
              {tickText(tick)}
            </text>
          </g>
        ))}
        {xLabels.map(({ x, text }) => (
          <text key={x} className={styles.tick} x={x} y={height - bottom + 17} textAnchor="middle">
            {text}
          </text>
        ))}
        <text className={styles.axis} x={left + plot.width / 2} y={height - 3} textAnchor="middle">
          {axis}
        </text>
        {children}
      </svg>
    </figure>
  );
}

export function Mark({ look: { mark, colour }, x, y }: { look: Look; x: number; y: number }) {
  if (mark === 'ring') return <circle cx={x} cy={y} r="3" fill="none" stroke={colour} strokeWidth="1.5" />;
  if (mark === 'cross') {
    const d = `M${x - 3} ${y - 3}l6 6m0 -6l-6 6`;
    return <path d={d} stroke={colour} strokeWidth="1.75" />;
  }
  if (mark === 'circle') return <circle cx={x} cy={y} r="3.5" fill={colour} />;
  const turn = mark === 'diamond' ? `rotate(45 ${x} ${y})` : undefined;
  return <rect x={x - 3} y={y - 3} width="6" height="6" fill={colour} transform={turn} />;
}

export function tickText(value: number): string {
  // Longer figures than these have no room beside the axis.
  const notation = Math.abs(value) < 10_000 ? 'standard' : 'compact';
  return value.toLocaleString('en-US', { maximumSignificantDigits: 4, notation });
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
