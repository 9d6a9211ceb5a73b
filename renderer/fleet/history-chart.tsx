import { figure } from '../format';
import { texts } from '../texts';
import styles from './history-chart.module.css';
import { box, pathOf } from './history-path';

const words = texts.fleet;
const colours = ['var(--series-first)', 'var(--series-second)'] as const;
export interface HistoryLine {
  /** Empty if it is the only one. */
  name: string;
  /** One for each second, oldest first; null: none came. */
  values: readonly (number | null)[];
}

interface Props {
  title: string;
  unit: string;
  lines: readonly HistoryLine[];
  /** Of the axis; by default the highest value. */
  top?: number;
  /** Why it is not. */
  notMeasured: string | undefined;
}

/** The last minute of a figure; the newest value at its right. */
export function HistoryChart({ title, unit, lines, top, notMeasured }: Props) {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const most = Math.max(top ?? 0, ...values, 1);
  const isEmpty = values.length === 0;
  return (
    <figure className={styles.chart} data-testid="history-chart">
      <figcaption className={styles.head}>
        <span>{title}</span>
        {isEmpty ? (
          <span className={styles.soft}>
            {notMeasured === undefined ? words.noFigure : words.notMeasuredFor(notMeasured)}
          </span>
        ) : (
          lines.map(({ name, values: ofLine }, index) => (
            <span key={name} style={{ color: colours[index] }}>
              {[name, nowText(ofLine.at(-1), unit)].filter(Boolean).join(' ')}
            </span>
          ))
        )}
        {!isEmpty && (
          <span className={styles.top}>
            0 … {figure(most)} {unit}, {words.lastMinute}
          </span>
        )}
      </figcaption>
      {!isEmpty && (
        <svg
          className={styles.plot}
          viewBox={`0 0 ${box.width} ${box.height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {lines.map(({ name, values: ofLine }, index) => (
            <path
              key={name}
              d={pathOf(ofLine, most)}
              fill="none"
              stroke={colours[index]}
              strokeWidth="1.75"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
      )}
    </figure>
  );
}

function nowText(value: number | null | undefined, unit: string): string {
  return value == null ? words.notMeasured : `${figure(value)} ${unit}`;
}
