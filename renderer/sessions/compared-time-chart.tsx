import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { reportLoadFigures } from '../../app/protocol/report';
import { keepChart } from '../charts/kept-chart';
import chart from '../charts/step-chart.module.css';
import { figure } from '../format';
import { texts } from '../texts';
import styles from './compared-charts.module.css';
import { type ComparedLoadSeries, valueAt } from './compared-series';
import { lookOf } from './run-looks';

const { charts } = texts;

const titles: Record<(typeof reportLoadFigures)[number], readonly [title: string, unit: string]> = {
  cpuMachine: [`${charts.cpu}, ${charts.machine}`, charts.percent],
  cpuSending: [`${charts.cpu}, ${charts.sending}`, charts.percent],
  cpuReceiving: [`${charts.cpu}, ${charts.receiving}`, charts.percent],
  gpu: [charts.gpu, charts.percent],
  loopback: [charts.loopback, charts.mbps],
  wireOut: [charts.wireOut, charts.mbps],
  wireIn: [charts.wireIn, charts.mbps],
  latencyP50: [`${charts.latency} ${charts.p50}`, charts.milliseconds],
  latencyP99: [`${charts.latency} ${charts.p99}`, charts.milliseconds],
  lost: [texts.report.load.lostOrNotSent, charts.perSecond],
};

/** One figure of all runs over the time since each began; cursor and zoom are shared with the charts beside it. */
export function ComparedTimeChart({ series }: { series: ComparedLoadSeries }) {
  const container = useRef<HTMLDivElement>(null);
  const values = useRef<(HTMLElement | null)[]>([]);
  const [title, unit] = titles[series.figure];

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const show = (plot: uPlot): void => {
      const index = plot.cursor.idx;
      series.runs.forEach((_, run) => {
        const place = values.current[run];
        if (!place) return;
        const { letter } = lookOf(run);
        const isOver = typeof index === 'number';
        const text = isOver ? figure(valueAt(plot.data[run + 1] ?? [], index), 1) : '';
        place.textContent = isOver ? `${letter} ${text}` : '';
      });
    };
    return keepChart(element, () => {
      const plot = open(element, series, show);
      return {
        resize: () => plot.setSize({ width: element.clientWidth, height: element.clientHeight }),
        close: () => plot.destroy(),
      };
    });
  }, [series]);

  return (
    <figure className={chart.chart} aria-label={`${title} (${unit})`} data-testid="compared-time-chart">
      <figcaption className={chart.head}>
        <span className={chart.title}>
          {title} <span className={chart.unit}>{unit}</span>
        </span>
        <span className={styles.values}>
          {series.runs.map((_, run) => (
            <b
              key={lookOf(run).letter}
              className={styles.value}
              ref={(place) => {
                values.current[run] = place;
              }}
            />
          ))}
        </span>
      </figcaption>
      <div className={styles.plot} ref={container} />
    </figure>
  );
}

function open(element: HTMLElement, { runs }: ComparedLoadSeries, show: (plot: uPlot) => void): uPlot {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const rootPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const axis = {
    stroke: colour('--text-soft'),
    font: `${Math.round(rootPx * 0.72)}px ${style.fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return new uPlot(
    {
      width: element.clientWidth,
      height: element.clientHeight,
      legend: { show: false },
      padding: [rootPx * 0.5, rootPx * 0.5, 0, 0],
      scales: {
        x: { time: false },
        y: { range: (_plot, _min, most) => [0, Math.max(most * 1.1, 1)] },
      },
      axes: [
        {
          ...axis,
          size: rootPx * 1.4,
          gap: 2,
          // A label at either edge would be cut, or stand over the other axis's.
          values: (_plot, seconds) =>
            seconds.map((second, at) => (at === 0 || at === seconds.length - 1 ? '' : `${figure(second)} s`)),
        },
        { ...axis, size: rootPx * 3, gap: 4, space: rootPx * 1.8 },
      ],
      series: [
        {},
        ...runs
          .map((_, run) => lookOf(run))
          .map(({ letter, colour: name, dash }) => ({
            label: letter,
            stroke: colour(name),
            width: 1.5,
            dash: dash && [...dash],
            points: { show: false },
          })),
      ],
      cursor: { y: false, sync: { key: 'comparison', scales: ['x', null] }, points: { size: 6 } },
      hooks: { setCursor: [show] },
    },
    joined(runs),
    element,
  );
}

/** All runs over one axis: where only others have a sample nothing is drawn, and the line goes on. */
function joined(runs: ComparedLoadSeries['runs']): uPlot.AlignedData {
  return uPlot.join(
    runs.map(({ seconds, values }): uPlot.AlignedData => [seconds, values]),
    // 1: what was not measured is a gap; what is absent is not.
    runs.map(() => [0, 1]),
  );
}
