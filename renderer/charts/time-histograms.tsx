import type { Histogram } from '../../app/facts/figure';
import { type Metric, metricOf } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { figureOf } from '../../app/facts/row-figures';
import { countedRows } from '../../app/facts/row-labels';
import { binStartMs } from '../../app/facts/time-bins';
import { figure } from '../format';
import { texts } from '../texts';
import { stepTitle } from './step-series';
import styles from './time-histograms.module.css';

const width = 360;
const height = 44;
const base = 32;

/** At least this many, so that two round times fit below them. */
const leastBins = 24;

const ofStreams = ['latencyMs', 'submitIntervalMs', 'receiveIntervalMs'].map((id) =>
  metricOf(`${id}.histogram`),
);

/** How often each time occurred, row by row under one another, so that they can be compared. */
export function TimeHistograms({ rows }: { rows: readonly Row[] }) {
  const counted = countedRows(rows).filter((row) => ofStreams.some(({ id }) => id in row.figures));
  const held = ofStreams.filter((metric) => counted.some((row) => histogramOf(row, metric) !== null));
  if (counted.length === 0) return <p className={styles.note}>{texts.histograms.unknown}</p>;
  return (
    <>
      <div className={styles.kinds}>
        {held.map((metric) => (
          <Histograms key={metric.id} metric={metric} rows={counted} />
        ))}
      </div>
      <p className={styles.note}>{texts.histograms.legend}</p>
    </>
  );
}

/** One strip for each row that has the histogram, all over the same axis. */
export function Histograms({ metric, rows }: { metric: Metric; rows: readonly Row[] }) {
  const shown = rows.flatMap((row) => {
    const bins = histogramOf(row, metric);
    return bins ? [{ row, bins }] : [];
  });
  const { first, end } = axisBins(shown.map(({ bins }) => bins));
  return (
    <figure className={styles.kind} data-testid={`histogram-${metric.id}`}>
      <figcaption className={styles.title}>
        {metric.heading} <span className={styles.unit}>{metric.unit}</span>
      </figcaption>
      {shown.length === 0 && (
        <p className={styles.note}>{texts.table.notMeasured(rows[0]?.notMeasured[metric.id])}</p>
      )}
      {shown.map(({ row, bins }) => (
        <div key={row.index} className={styles.strip}>
          <span className={styles.name} title={stepTitle(row)}>
            {texts.losses.row} {row.index}
          </span>
          <Strip row={row.index} metric={metric} bins={bins} first={first} end={end} />
        </div>
      ))}
    </figure>
  );
}

/** All bins that some row has, and room beside few of them: a bar alone would be a block without a scale. */
export function axisBins(histograms: readonly Histogram[]): { first: number; end: number } {
  const first = Math.min(...histograms.map(({ firstBin }) => firstBin));
  const end = Math.max(...histograms.map(({ firstBin, counts }) => firstBin + counts.length));
  const room = Math.max(0, Math.ceil((leastBins - (end - first)) / 2));
  return { first: first - room, end: end + room };
}

function histogramOf(row: Row, { id }: Metric): Histogram | null {
  const figure = figureOf(row, id);
  return typeof figure === 'object' && figure !== null && 'counts' in figure ? figure : null;
}

interface StripProps {
  row: number;
  metric: Metric;
  bins: Histogram;
  first: number;
  end: number;
}

function Strip({ row, metric, bins, first, end }: StripProps) {
  const most = Math.max(...bins.counts);
  const binWidth = width / (end - first);
  const x = (bin: number): number => (bin - first) * binWidth;
  // Heights grow with the logarithm: one frame in a hundred thousand that came late is to be seen.
  const barHeight = (count: number): number =>
    ((Math.log10(count) + 1) / (Math.log10(most) + 1)) * (base - 2);
  const total = bins.counts.reduce((sum, count) => sum + count, 0);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={texts.histograms.total(figure(total))}
      data-row={row}
      data-histogram={metric.id}
    >
      <line className={styles.axis} x1="0" x2={width} y1={base} y2={base} />
      {axisMs(binStartMs(first), binStartMs(end)).map((ms) => {
        const at =
          (Math.log10(ms / binStartMs(first)) / Math.log10(binStartMs(end) / binStartMs(first))) * width;
        return (
          <g key={ms}>
            <line className={styles.axis} x1={at} x2={at} y1={base} y2={base + 3} />
            <text
              className={styles.tick}
              x={at}
              y={height - 1}
              textAnchor={at < 15 ? 'start' : at > width - 15 ? 'end' : 'middle'}
            >
              {figure(ms, ms < 1 ? 2 : ms < 10 && !Number.isInteger(ms) ? 1 : 0)}
            </text>
          </g>
        );
      })}
      {bins.counts.map((count, index) => {
        if (count === 0) return null;
        const bin = bins.firstBin + index;
        return (
          <rect
            key={bin}
            className={styles.bar}
            x={round(x(bin))}
            width={round(Math.max(binWidth - 0.4, 0.8))}
            y={round(base - barHeight(count))}
            height={round(barHeight(count))}
            data-bin={bin}
            data-count={count}
          >
            <title>
              {texts.histograms.bin(msText(binStartMs(bin)), msText(binStartMs(bin + 1)), figure(count))}
            </title>
          </rect>
        );
      })}
    </svg>
  );
}

/** Up to eight round times between two: decades with their 2 and 5 where there is room. */
function axisMs(from: number, to: number): number[] {
  const decades = Math.log10(to / from);
  const factors = decades > 2.5 ? [1] : decades > 1 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power++) {
    for (const factor of factors) {
      const ms = factor * 10 ** power;
      if (ms >= from && ms <= to) ticks.push(Number(ms.toPrecision(2)));
    }
  }
  return ticks;
}

function msText(ms: number): string {
  return ms.toPrecision(3);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
