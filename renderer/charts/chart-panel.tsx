import { useEffect, useRef } from 'react';
import { figure } from '../format';
import { texts } from '../texts';
import type { ChartBoard } from './chart-board';
import styles from './chart-panel.module.css';
import type { ChartSpec } from './chart-specs';
import { keepChart } from './kept-chart';
import { TimeChart } from './time-chart';

interface Props {
  spec: ChartSpec;
  board: ChartBoard;
}

/** A chart with its head. Values are written straight into the page: samples never enter React state. */
export function ChartPanel({ spec, board }: Props) {
  const plotElement = useRef<HTMLDivElement>(null);
  const emptyElement = useRef<HTMLParagraphElement>(null);
  const valueElements = useRef<(HTMLElement | null)[]>([]);

  useEffect(() => {
    const container = plotElement.current;
    const { scale = 1 } = spec;
    if (!container) return;

    return keepChart(container, () => {
      const chart = new TimeChart(container, spec, board, {
        showValues: (values) => {
          valueElements.current.forEach((target, index) => {
            const value = values?.[index] ?? null;
            const text = values ? figure(value === null ? null : value * scale, spec.digits) : '';
            if (target) write(target, text);
          });
        },
        showEmpty: (isEmpty) => {
          const target = emptyElement.current;
          if (!target) return;
          target.hidden = !isEmpty;
          write(target, isEmpty ? emptyText(spec, board) : '');
        },
      });
      const detach = board.attach(chart);
      return {
        resize: () => chart.resize(),
        close: () => {
          detach();
          chart.destroy();
        },
      };
    });
  }, [spec, board]);

  return (
    <figure
      className={styles.panel}
      aria-label={`${spec.title} (${spec.unit})`}
      data-testid={`chart-${spec.id}`}
    >
      <figcaption className={styles.head}>
        <span className={styles.title}>
          {spec.title} <span className={styles.unit}>{spec.unit}</span>
        </span>
        {spec.series.map(({ label, colour, dash }, index) => (
          <span key={label} className={styles.series}>
            <svg className={styles.sample} viewBox="0 0 20 4" aria-hidden="true">
              <line
                x1="0"
                y1="2"
                x2="20"
                y2="2"
                strokeWidth="2.5"
                strokeDasharray={dash?.join(' ')}
                stroke={`var(${colour})`}
              />
            </svg>
            {label}{' '}
            <b
              className={styles.value}
              ref={(element) => {
                valueElements.current[index] = element;
              }}
            />
          </span>
        ))}
      </figcaption>
      <div className={styles.plot}>
        <div className={styles.canvas} ref={plotElement} />
        <p className={styles.empty} ref={emptyElement} />
      </div>
    </figure>
  );
}

/** The same text again would have the page laid out again. */
function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

function emptyText(spec: ChartSpec, board: ChartBoard): string {
  if (board.history[spec.ring].length === 0) return texts.charts.waiting[spec.ring];
  return texts.charts.notMeasured(board.history.notMeasured[spec.reasonField] ?? texts.charts.noReason);
}
