import { useEffect, useRef } from 'react';
import { figure } from '../format';
import { texts } from '../texts';
import type { ChartBoard } from './chart-board';
import styles from './chart-panel.module.css';
import type { ChartSpec } from './chart-specs';
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

    function open(element: HTMLElement): () => void {
      const chart = new TimeChart(element, spec, board, {
        showValues: (values) => {
          values.forEach((value, index) => {
            const target = valueElements.current[index];
            if (target) write(target, figure(value === null ? null : value * scale, spec.digits));
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
      const sizes = new ResizeObserver(() => chart.resize());
      sizes.observe(element);
      return () => {
        sizes.disconnect();
        detach();
        chart.destroy();
      };
    }

    // Colours are read from the theme once, so another theme is another chart.
    const theme = matchMedia('(prefers-color-scheme: light)');
    let close = open(container);
    function reopen(): void {
      close();
      close = open(container as HTMLElement);
    }
    theme.addEventListener('change', reopen);
    return () => {
      theme.removeEventListener('change', reopen);
      close();
    };
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
